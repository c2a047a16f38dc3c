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
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.bloomguard.backend.memory.MemoryBackend;
import io.github.bloomguard.backend.redis.RedisAccess;
import io.github.bloomguard.backend.redis.RedisBackend;
import io.github.bloomguard.backend.redis.module.ModuleBackend;
import io.github.bloomguard.benchmarks.server.LocalRedis;
import io.github.bloomguard.benchmarks.server.Machine;
import io.github.bloomguard.benchmarks.type.FilterType;
import io.github.bloomguard.filter.FilterSpecification;
import org.jspecify.annotations.Nullable;

import org.springframework.core.env.SimpleCommandLinePropertySource;

/**
 * Fills and asks filters of each type, in turns, and prints one table. The server needs
 * the module RedisBloom: {@code --module=FILE.so}. What else can be given:
 * {@code --keys}, {@code --probability}, {@code --rounds} and {@code --millis} for each
 * measurement of lookups.
 */
public final class FilterTypeRunner {

	private static final double[] SHARES = { 0.5, 1, 1.2, 1.45, 2, 4 };

	private static final int MOST = 8;

	private static final Duration TIMEOUT = Duration.ofSeconds(5);

	private FilterTypeRunner() {
	}

	/**
	 * Measure.
	 * @param args what is given
	 * @throws Exception if it fails
	 */
	public static void main(String[] args) throws Exception {
		SimpleCommandLinePropertySource given = new SimpleCommandLinePropertySource(args);
		FilterSpecification specification = new FilterSpecification("products",
				Long.parseLong(Options.value(given, "keys", "1000000")),
				Double.parseDouble(Options.value(given, "probability", "0.001")));
		int rounds = Integer.parseInt(Options.value(given, "rounds", "3"));
		long millis = Long.parseLong(Options.value(given, "millis", "5000"));
		try (LocalRedis redis = LocalRedis.start("loadmodule " + Options.value(given, "module", "redisbloom.so"))) {
			RedisAccess access = new RedisAccess(redis.client(), Runnable::run);
			List<FilterType> types = Stream
				.of(new RedisBackend(() -> access, "benchmark", TIMEOUT),
						ModuleBackend.bloom(() -> access, "benchmark", TIMEOUT),
						ModuleBackend.cuckoo(() -> access, "benchmark", TIMEOUT), new MemoryBackend())
				.map((backend) -> new FilterType(backend, redis))
				.toList();
			for (FilterType type : types) {
				// the first round is slow
				type.measureSpeed(specification, millis);
				type.forget();
			}
			for (int round = 0; round < rounds; round++) {
				for (FilterType type : types) {
					type.measureSpeed(specification, millis);
					System.err.println(type.name() + ": " + type.medians());
				}
			}
			for (FilterType type : types) {
				for (double share : SHARES) {
					type.measureFalsePositives(specification, share);
				}
				type.measureRoom(specification, MOST);
			}
			System.out.printf("%,d keys at %s, medians of %d rounds%n", specification.expectedInsertions(),
					specification.falsePositiveProbability(), rounds);
			System.out.println(Machine.describe(redis));
			System.out.println();
			print(types, specification.falsePositiveProbability());
		}
	}

	private static void print(List<FilterType> types, double probability) {
		System.out.println("| | " + types.stream()
			.map((type) -> type.name() + " (p = " + probability + ")")
			.collect(Collectors.joining(" | ")) + " |");
		System.out.println("| --- " + "| ---: ".repeat(types.size()) + "|");
		for (String figure : types.get(0).medians().keySet()) {
			System.out.println("| " + figure + " | "
					+ types.stream().map((type) -> text(type.medians().get(figure))).collect(Collectors.joining(" | "))
					+ " |");
		}
	}

	private static String text(@Nullable Double value) {
		if (value == null || value.isNaN()) {
			return "–";
		}
		return (value >= 1000) ? "%,.0f".formatted(value) : "%.2f".formatted(value);
	}

}
