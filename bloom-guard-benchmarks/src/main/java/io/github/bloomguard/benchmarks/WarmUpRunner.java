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

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import io.github.bloomguard.benchmarks.server.LocalPostgres;
import io.github.bloomguard.benchmarks.server.Machine;
import io.github.bloomguard.benchmarks.warmup.KeyTable;
import io.github.bloomguard.benchmarks.warmup.Loading;
import io.github.bloomguard.benchmarks.warmup.Loadings;
import io.github.bloomguard.benchmarks.warmup.Run;

/**
 * Loads a filter from a real PostgreSQL into a real Redis in each way there is, in turns,
 * and prints one table.
 */
public final class WarmUpRunner {

	private static final long KEYS_OF_FIRST_RUN = 100_000;

	private WarmUpRunner() {
	}

	/**
	 * Measure.
	 * @param args see {@link WarmUpOptions}
	 */
	public static void main(String[] args) {
		WarmUpOptions options = WarmUpOptions.parse(args);
		try (LocalPostgres postgres = LocalPostgres.start()) {
			KeyTable table = KeyTable.create(postgres);
			try (Loadings loadings = new Loadings(table, options.expectedInsertions(), options.added(),
					options.properties())) {
				table.fill(KEYS_OF_FIRST_RUN);
				loadings.all().forEach(Run::of);
				table.fill(options.keys());
				WarmUpReport report = new WarmUpReport(loadings, measure(loadings, options.rounds()));
				System.out.println(options);
				System.out.println(Machine.describe(loadings.cursor().redis(), postgres));
				System.out.println();
				System.out.println(report);
			}
		}
	}

	private static Map<Loading, List<Run>> measure(Loadings loadings, int rounds) {
		Map<Loading, List<Run>> runs = new LinkedHashMap<>();
		for (int round = 0; round < rounds; round++) {
			for (Loading loading : loadings.all()) {
				System.gc();
				Run run = Run.of(loading);
				System.err.printf("%s: %,.0f keys/s%n", loading.name(), run.keysPerSecond());
				runs.computeIfAbsent(loading, (key) -> new ArrayList<>()).add(run);
			}
		}
		return runs;
	}

}
