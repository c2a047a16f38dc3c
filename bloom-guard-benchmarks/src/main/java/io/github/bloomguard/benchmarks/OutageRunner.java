/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.bloomguard.benchmarks;

import java.time.Duration;
import java.util.Locale;

import io.github.bloomguard.benchmarks.contender.Contender;
import io.github.bloomguard.benchmarks.contender.Contenders;
import io.github.bloomguard.benchmarks.contender.ProductTable;
import io.github.bloomguard.benchmarks.load.Load;
import io.github.bloomguard.benchmarks.load.Loads;
import io.github.bloomguard.benchmarks.load.Recording;
import io.github.bloomguard.benchmarks.load.Rows;
import io.github.bloomguard.benchmarks.server.LocalPostgres;
import io.github.bloomguard.benchmarks.server.Machine;
import io.github.bloomguard.benchmarks.server.RedisWire;

/**
 * Freezes Redis while rows are read, and prints what the callers see in each second,
 * beside the bare method in the same run, and how long it takes until a definite miss is
 * answered again when Redis goes on.
 */
public final class OutageRunner {

	private static final int ROWS = 20_000;

	private static final int FROZEN_SECONDS = 10;

	private static final Duration SECOND = Duration.ofSeconds(1);

	private OutageRunner() {
	}

	/**
	 * Measure.
	 * @param args not used
	 */
	public static void main(String[] args) {
		try (LocalPostgres postgres = LocalPostgres.start()) {
			ProductTable.create(postgres, ROWS);
			try (Contenders contenders = Contenders.all(postgres, ROWS)) {
				Contender bare = contenders.all().get(0);
				Contender guard = contenders.guard();
				Load load = Loads.legitimate(new Rows(ROWS));
				for (Contender contender : new Contender[] { bare, guard }) {
					load.prepare(contender);
					load.run(contender, Duration.ofSeconds(5));
				}
				System.out.println(Machine.describe(guard.redis(), postgres));
				System.out.println();
				System.out.println("| second | caller | calls/s | p50 µs | p99 µs | longest ms | failures |");
				System.out.println("| --- | --- | ---: | ---: | ---: | ---: | ---: |");
				print("Redis answers", bare, load);
				print("Redis answers", guard, load);
				try (RedisWire wire = guard.redis().wire()) {
					Runnable thaw = wire.freeze();
					for (int second = 1; second <= FROZEN_SECONDS; second++) {
						print("frozen, " + second, guard, load);
					}
					print("frozen, later", bare, load);
					print("frozen, later", guard, load);
					thaw.run();
				}
				System.out.printf("%nA definite miss is answered again %d ms after Redis went on.%n",
						millisUntilAnswered(guard));
				print("Redis answers again", guard, load);
			}
		}
	}

	private static void print(String second, Contender contender, Load load) {
		Recording seen = load.run(contender, SECOND);
		System.out.printf(Locale.ROOT, "| %s | %s | %,d | %,d | %,d | %.1f | %d |%n", second, contender.name(),
				seen.operations(), seen.latencies().getValueAtPercentile(50) / 1_000,
				seen.latencies().getValueAtPercentile(99) / 1_000, seen.latencies().getMaxValue() / 1e6,
				seen.failures() + seen.wrong());
	}

	private static long millisUntilAnswered(Contender guard) {
		long start = System.nanoTime();
		for (long absent = -1;; absent--) {
			long queries = guard.queries();
			guard.find(absent);
			if (guard.queries() == queries) {
				return (System.nanoTime() - start) / 1_000_000;
			}
		}
	}

}
