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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

import io.github.bloomguard.backend.redis.RedisAccess;
import io.github.bloomguard.backend.redis.RedisBackend;
import io.github.bloomguard.benchmarks.flood.Attacker;
import io.github.bloomguard.benchmarks.flood.FloodedInstance;
import io.github.bloomguard.benchmarks.flood.People;
import io.github.bloomguard.benchmarks.server.LocalPostgres;
import io.github.bloomguard.benchmarks.server.LocalRedis;
import io.github.bloomguard.benchmarks.server.Machine;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.guard.GuardExecutor;

import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.util.StringUtils;

/**
 * Attacks filters that lack rows, and prints how many wrong answers people get who ask
 * for these rows until they find them: a hundred of them once a second, another hundred
 * once in ten seconds. Beside an attacker whose keys are new each time, and one who
 * repeats some. What verification costs the attack is told by the calls that an instance
 * answers at most, beside those that it answers without.
 */
public final class FloodRunner {

	private static final int ROWS = 100_000;

	private static final int PEOPLE = 100;

	private static final int SELDOM = 10;

	private static final Duration TIMEOUT = Duration.ofMillis(100);

	private static final Duration FLOODED = Duration.ofSeconds(3);

	private FloodRunner() {
	}

	/**
	 * Measure.
	 * @param args {@code --duration=60} says how many seconds people ask at most,
	 * {@code --attacks=10000,100000,0} how many absent keys a second are asked for, 0 for
	 * as many as the machine gives, {@code --repeated=0,1000} how many keys the attacker
	 * repeats by every other call, 0 for none, {@code --instances=1,3} how many are asked
	 * in turn, {@code --modes=off,behind,before} how answers are verified; {@code off}
	 * only tells what an attack is answered without, and nothing of people
	 */
	public static void main(String[] args) {
		SimpleCommandLinePropertySource given = new SimpleCommandLinePropertySource(args);
		long seconds = Long.parseLong(Options.value(given, "duration", "60"));
		try (LocalPostgres postgres = LocalPostgres.start(); LocalRedis redis = LocalRedis.start()) {
			System.out.println(Machine.describe(redis, postgres));
			System.out.println();
			System.out.println(
					"| attack | keys | instances | mode | attack calls/s | ÷ off | wrong, asked each s: median | worst"
							+ " | found | asked each 10 s: median | worst | found | questions/s | keys/s | calls/s |");
			System.out.println(
					"| --- | --- | ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
			for (int instances : numbers(given, "instances", "1,3")) {
				for (int attack : numbers(given, "attacks", "10000,100000,0")) {
					for (int repeated : numbers(given, "repeated", "0,1000")) {
						double unverified = Double.NaN;
						for (String name : values(given, "modes", "off,behind,before")) {
							Mode mode = Mode.valueOf(name.toUpperCase(Locale.ROOT));
							Measurement measurement = new Measurement(postgres, redis, instances, mode, attack,
									repeated);
							if (mode != Mode.OFF) {
								System.out.println(measurement.take(seconds, unverified));
							}
							else if (attack == 0) {
								unverified = measurement.unverified(seconds);
							}
						}
					}
				}
			}
		}
	}

	private static List<String> values(SimpleCommandLinePropertySource given, String name, String otherwise) {
		return Stream.of(StringUtils.commaDelimitedListToStringArray(Options.value(given, name, otherwise))).toList();
	}

	private static List<Integer> numbers(SimpleCommandLinePropertySource given, String name, String otherwise) {
		return values(given, name, otherwise).stream().map(Integer::valueOf).toList();
	}

	private record Measurement(LocalPostgres postgres, LocalRedis redis, int count, Mode mode, int attack,
			int repeated) {

		String take(long seconds, double unverified) {
			return with((instances) -> attacked(instances, seconds, unverified));
		}

		/**
		 * Return how many calls a second are answered.
		 */
		double unverified(long seconds) {
			return with((instances) -> {
				try (Attacker attacker = Attacker.start(instances, this.attack, this.repeated)) {
					sleep(FLOODED);
					long attacks = attacker.calls();
					long begun = System.nanoTime();
					sleep(Duration.ofSeconds(seconds));
					return (attacker.calls() - attacks) / ((System.nanoTime() - begun) / 1e9);
				}
			});
		}

		private <T> T with(Function<List<FloodedInstance>, T> measurement) {
			FloodedInstance.createTable(this.postgres, ROWS, 2 * PEOPLE);
			RedisAccess access = new RedisAccess(this.redis.client(), new GuardExecutor());
			List<FloodedInstance> instances = new ArrayList<>();
			try {
				String prefix = "flood-" + System.nanoTime();
				for (int i = 0; i < this.count; i++) {
					instances.add(FloodedInstance.start(this.postgres, new RedisBackend(() -> access, prefix, TIMEOUT),
							this.mode, ROWS));
				}
				return measurement.apply(instances);
			}
			finally {
				instances.forEach(FloodedInstance::close);
			}
		}

		private static void sleep(Duration time) {
			try {
				TimeUnit.NANOSECONDS.sleep(time.toNanos());
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

		private String attacked(List<FloodedInstance> instances, long seconds, double unverified) {
			try (Attacker attacker = Attacker.start(instances, this.attack, this.repeated)) {
				sleep(FLOODED);
				long questions = sum(instances, FloodedInstance::questions);
				long keys = sum(instances, FloodedInstance::askedKeys);
				long calls = sum(instances, FloodedInstance::calls);
				long attacks = attacker.calls();
				long begun = System.nanoTime();
				long until = begun + TimeUnit.SECONDS.toNanos(seconds);
				People often = new People(-1, PEOPLE, 1);
				People seldom = new People(-1 - PEOPLE, PEOPLE, SELDOM);
				Thread others = new Thread(() -> seldom.ask(instances, until), "people");
				others.start();
				often.ask(instances, until);
				others.join();
				double took = (System.nanoTime() - begun) / 1e9;
				return String.format(Locale.ROOT,
						"| %s | %s | %d | %s | %,.0f | %s | %d | %d | %d | %d | %d | %d | %.1f | %,.0f | %.1f |",
						(this.attack > 0) ? String.format(Locale.ROOT, "%,d/s", this.attack) : "all the machine gives",
						(this.repeated > 0) ? "new, and " + this.repeated + " repeated" : "new", this.count,
						this.mode.name().toLowerCase(Locale.ROOT), (attacker.calls() - attacks) / took,
						Double.isNaN(unverified) ? ""
								: String.format(Locale.ROOT, "%.2f", (attacker.calls() - attacks) / took / unverified),
						often.median(), often.worst(), often.found(), seldom.median(), seldom.worst(), seldom.found(),
						(sum(instances, FloodedInstance::questions) - questions) / took,
						(sum(instances, FloodedInstance::askedKeys) - keys) / took,
						(sum(instances, FloodedInstance::calls) - calls) / took);
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

		private static long sum(List<FloodedInstance> instances, ToLongFunction<FloodedInstance> count) {
			return instances.stream().mapToLong(count).sum();
		}

	}

}
