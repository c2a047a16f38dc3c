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

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;

import io.github.bloomguard.benchmarks.mirror.Adds;
import io.github.bloomguard.benchmarks.mirror.MirrorInstance;
import io.github.bloomguard.benchmarks.server.LocalRedis;
import io.github.bloomguard.benchmarks.server.Pauses;

/**
 * Measures what mirrors cost: how long it takes to add a key while some instances have
 * one, beside as many without in the same run; while one of them is frozen; and how long
 * it takes from the start of an instance until its mirror answers, and how long Redis
 * leaves others waiting meanwhile.
 */
public final class MirrorRunner {

	private static final long KEYS = 100_000;

	private static final long KEYS_TO_JOIN = 10_000_000;

	private static final Duration DURATION = Duration.ofSeconds(4);

	private static final int ROUNDS = 3;

	private MirrorRunner() {
	}

	/**
	 * Measure.
	 * @param args not used
	 * @throws IOException if there is no other process
	 */
	public static void main(String[] args) throws IOException {
		System.out.println("| instances | p | mirrors | threads | p50 ms | p99 ms | longest ms | adds/s |");
		System.out.println("| ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |");
		for (int instances : List.of(1, 2, 4)) {
			measureAdds(instances);
		}
		System.out.println();
		measureFrozen();
		System.out.println();
		measureJoining();
	}

	private static void measureAdds(int count) {
		List<LocalRedis> servers = List.of(LocalRedis.start(), LocalRedis.start());
		List<List<MirrorInstance>> groups = new ArrayList<>();
		for (LocalRedis redis : servers) {
			boolean mirror = !groups.isEmpty();
			groups.add(IntStream.range(0, count)
				.mapToObj((i) -> MirrorInstance.start(redis.port(), KEYS, mirror).awaitAnswers())
				.toList());
		}
		groups.forEach((group) -> Adds.measure(group.get(0), 1, Duration.ofSeconds(5)));
		for (int threads : List.of(1, 8)) {
			for (int round = 0; round < ROUNDS; round++) {
				for (List<MirrorInstance> group : groups) {
					Adds adds = Adds.measure(group.get(0), threads, DURATION);
					System.out.printf(Locale.ROOT, "| %d | %s | %s | %d | %.2f | %.2f | %.1f | %,.0f |%n", count,
							MirrorInstance.PROBABILITY, (group == groups.get(0)) ? "no" : "yes", threads,
							adds.millis(50), adds.millis(99), adds.millis(100), adds.perSecond());
				}
			}
		}
		groups.forEach((group) -> group.forEach(MirrorInstance::close));
		servers.forEach(LocalRedis::close);
	}

	private static void measureFrozen() throws IOException {
		try (LocalRedis redis = LocalRedis.start();
				MirrorInstance instance = MirrorInstance.start(redis.port(), KEYS, true).awaitAnswers()) {
			Process other = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
					"-cp", System.getProperty("java.class.path"), MirrorInstance.class.getName(),
					String.valueOf(redis.port()), String.valueOf(KEYS))
				.redirectError(ProcessBuilder.Redirect.INHERIT)
				.start();
			try (BufferedReader said = other.inputReader(StandardCharsets.UTF_8)) {
				String line = said.readLine();
				while (line != null && !line.equals("ready")) {
					line = said.readLine();
				}
				Adds.measure(instance, 1, Duration.ofSeconds(5));
				new ProcessBuilder("kill", "-STOP", String.valueOf(other.pid())).start().onExit().join();
				Adds adds = Adds.measure(instance, 1, Duration.ofSeconds(10));
				System.out.printf(Locale.ROOT,
						"While another instance is frozen, one of %,d additions took longer than 1 s: %d, the longest %,.0f ms%n",
						adds.latencies().getTotalCount(), adds.longerThan(1_000), adds.millis(100));
			}
			finally {
				other.destroyForcibly();
			}
		}
	}

	private static void measureJoining() {
		try (LocalRedis redis = LocalRedis.start();
				MirrorInstance first = MirrorInstance.start(redis.port(), KEYS_TO_JOIN, true)) {
			first.awaitAnswers();
			System.out.println(
					"| joining with 10,000,000 keys | p | started after ms | answers after ms | PING p99.9 ms | longest ms |");
			System.out.println("| --- | ---: | ---: | ---: | ---: | ---: |");
			for (int round = 1; round <= 5; round++) {
				Pauses.Loop loop = Pauses.watch(redis);
				long begun = System.nanoTime();
				try (MirrorInstance next = MirrorInstance.start(redis.port(), KEYS_TO_JOIN, true)) {
					double started = (System.nanoTime() - begun) / 1e6;
					next.awaitAnswers();
					double answers = (System.nanoTime() - begun) / 1e6;
					Pauses pauses = loop.end();
					System.out.printf(Locale.ROOT, "| %d | %s | %,.0f | %,.0f | %.2f | %.2f |%n", round,
							MirrorInstance.PROBABILITY, started, answers, pauses.p999(), pauses.longest());
				}
			}
		}
	}

}
