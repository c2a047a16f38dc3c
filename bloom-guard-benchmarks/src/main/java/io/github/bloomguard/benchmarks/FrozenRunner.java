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
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import io.github.bloomguard.benchmarks.contender.ProductTable;
import io.github.bloomguard.benchmarks.many.WritingApplication;
import io.github.bloomguard.benchmarks.server.LocalPostgres;
import io.github.bloomguard.benchmarks.server.LocalRedis;

/**
 * Freezes three of five instances again and again, for a different time each, while all
 * write and a filter is rebuilt by cron, and counts how often one of them loses it. Each
 * instance is a process.
 */
public final class FrozenRunner {

	private static final int INSTANCES = 5;

	private static final int FROZEN = 3;

	private static final int ROWS = 10_000;

	private FrozenRunner() {
	}

	/**
	 * Freeze.
	 * @param args the number of rounds, the longest freeze in seconds, and properties of
	 * the applications, as {@code name=value}; 20 and 20 without any
	 * @throws IOException if an application does not start
	 */
	public static void main(String[] args) throws IOException {
		List<String> properties = new ArrayList<>(List.of("bloom-guard.filters.products.rebuild.cron=*/10 * * * * *"));
		Stream.of(args).filter((argument) -> argument.contains("=")).forEach(properties::add);
		List<Integer> numbers = Stream.of(args)
			.filter((argument) -> !argument.contains("="))
			.map(Integer::valueOf)
			.toList();
		int rounds = numbers.isEmpty() ? 20 : numbers.get(0);
		int longest = (numbers.size() < 2) ? 20 : numbers.get(1);
		List<Instance> instances = new ArrayList<>();
		try (LocalPostgres postgres = LocalPostgres.start(); LocalRedis redis = LocalRedis.start()) {
			ProductTable.create(postgres, ROWS);
			for (int i = 1; i <= INSTANCES; i++) {
				instances.add(Instance.start(i, postgres, redis, properties));
			}
			instances.forEach((instance) -> instance.await("STATE READY"));
			Random random = new Random(1);
			for (int round = 1; round <= rounds; round++) {
				Collections.shuffle(instances, random);
				List<Instance> frozen = instances.subList(0, FROZEN);
				frozen.forEach((instance) -> instance.signal("STOP"));
				long millis = 500 + random.nextInt(1000 * longest);
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(millis));
				frozen.forEach((instance) -> instance.signal("CONT"));
				LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(10));
				Map<String, Integer> seen = new TreeMap<>();
				instances.forEach((instance) -> instance.seen().forEach((line) -> seen.merge(line, 1, Integer::sum)));
				System.out.printf("round %d: %s frozen for %.1f s; so far %s%n", round,
						frozen.stream().map(Instance::number).sorted().toList(), millis / 1000.0, seen);
			}
		}
		finally {
			instances.forEach(Instance::close);
		}
	}

	/**
	 * One process.
	 */
	private record Instance(int number, Process process, List<String> seen) implements AutoCloseable {

		static Instance start(int number, LocalPostgres postgres, LocalRedis redis, List<String> properties)
				throws IOException {
			List<String> command = new ArrayList<>(List.of(
					Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx256m", "-cp",
					System.getProperty("java.class.path") + File.pathSeparator, WritingApplication.class.getName(),
					String.valueOf(number), postgres.url(), String.valueOf(redis.port())));
			command.addAll(properties);
			Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
			Instance instance = new Instance(number, process, Collections.synchronizedList(new ArrayList<>()));
			Thread reader = new Thread(instance::read, "reader-" + number);
			reader.setDaemon(true);
			reader.start();
			return instance;
		}

		/**
		 * Keep what is counted, and tell the rest.
		 */
		private void read() {
			try (BufferedReader output = this.process.inputReader()) {
				for (String line = output.readLine(); line != null; line = output.readLine()) {
					if (line.startsWith("STATE ") || line.startsWith("WRONG ") || line.startsWith("FAILED ")) {
						this.seen.add(line.startsWith("STATE ") ? line : line.substring(0, line.indexOf(' ')));
					}
					if (!line.startsWith("STATE ")) {
						System.err.println(this.number + ": " + line);
					}
				}
			}
			catch (IOException ex) {
				System.err.println(this.number + ": " + ex);
			}
		}

		void await(String line) {
			while (!this.seen.contains(line)) {
				if (!this.process.isAlive()) {
					throw new IllegalStateException("Instance " + this.number + " has ended");
				}
				LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
			}
		}

		void signal(String signal) {
			try {
				new ProcessBuilder("kill", "-" + signal, String.valueOf(this.process.pid())).inheritIO()
					.start()
					.waitFor();
			}
			catch (IOException | InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
		}

		@Override
		public void close() {
			this.process.destroyForcibly();
			this.process.onExit().join();
		}

	}

}
