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
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

import io.github.bloomguard.benchmarks.contender.ProductTable;
import io.github.bloomguard.benchmarks.many.GuardedClass;
import io.github.bloomguard.benchmarks.many.ManyApplication;
import io.github.bloomguard.benchmarks.server.LocalPostgres;
import io.github.bloomguard.benchmarks.server.LocalRedis;
import io.github.bloomguard.benchmarks.server.Machine;
import io.github.bloomguard.benchmarks.server.RedisWire;

import org.springframework.util.FileSystemUtils;

/**
 * Measures what many filters cost: the start, until all of them are ready, and an idle
 * instance. Each instance is a process, and all of them start together.
 */
public final class ManyRunner {

	private static final int ROWS = 10_000;

	private static final List<String> SIZES = List.of("1x1x1", "50x1x50", "200x1x200", "200x5x1");

	private static final int SECONDS = 30;

	private ManyRunner() {
	}

	/**
	 * Measure.
	 * @param args sizes as filters x instances x methods, such as {@code 200x5x1}, and
	 * properties of the applications, as {@code name=value}
	 * @throws IOException if an application does not start
	 */
	public static void main(String[] args) throws IOException {
		List<String> properties = Stream.of(args).filter((argument) -> argument.contains("=")).toList();
		List<String> sizes = Stream.of(args).filter((argument) -> !argument.contains("=")).toList();
		try (LocalPostgres postgres = LocalPostgres.start()) {
			ProductTable.create(postgres, ROWS);
			try (LocalRedis redis = LocalRedis.start()) {
				System.out.println(Machine.describe(redis, postgres));
			}
			System.out.println();
			System.out.println("| filters | instances | methods | start CPU s | start s | ready s | ready CPU s"
					+ " | guard threads, most | all threads, most | idle commands/s | Redis CPU % | CPU %"
					+ " | guard threads | heap MB | Redis MB |");
			System.out.println(
					"| ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: |");
			for (String size : sizes.isEmpty() ? SIZES : sizes) {
				String[] counts = size.split("x");
				System.out.println(measure(Integer.parseInt(counts[0]), Integer.parseInt(counts[1]),
						Integer.parseInt(counts[2]), postgres, properties));
			}
		}
	}

	private static String measure(int filters, int instances, int methods, LocalPostgres postgres,
			List<String> properties) throws IOException {
		Path guarded = GuardedClass.compile(methods, filters);
		List<Instance> all = new ArrayList<>();
		try (LocalRedis redis = LocalRedis.start(); RedisWire wire = redis.wire()) {
			for (int i = 0; i < instances; i++) {
				all.add(Instance.start(filters, guarded, postgres, redis, properties));
			}
			List<double[]> started = all.stream().map(Instance::figures).toList();
			List<double[]> ready = all.stream().map(Instance::figures).toList();
			List<double[]> threads = all.stream().map(Instance::figures).toList();
			// what the start has left to the compiler of the JVM is none of an idle
			// instance
			LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(SECONDS));
			double commands = wire.info("stats", "total_commands_processed");
			double cpu = cpu(wire);
			all.forEach(Instance::next);
			List<double[]> idle = all.stream().map(Instance::figures).toList();
			commands = wire.info("stats", "total_commands_processed") - commands;
			cpu = cpu(wire) - cpu;
			List<double[]> rest = all.stream().map(Instance::figures).toList();
			return String.format(Locale.ROOT,
					"| %d | %d | %d | %.1f | %.1f | %.1f | %.1f | %.0f | %.0f | %.1f | %.2f | %.2f | %.0f | %.0f | %.0f |",
					filters, instances, methods, mean(started, 0), mean(started, 1), most(ready, 1), mean(ready, 0),
					most(threads, 0), most(threads, 1), commands / SECONDS / instances, 100 * cpu / SECONDS / instances,
					100 * mean(idle, 0) / SECONDS, most(rest, 1), mean(rest, 0) / 1e6,
					wire.info("memory", "used_memory") / 1e6);
		}
		finally {
			all.forEach(Instance::close);
			FileSystemUtils.deleteRecursively(guarded);
		}
	}

	private static double cpu(RedisWire wire) {
		return wire.info("cpu", "used_cpu_user") + wire.info("cpu", "used_cpu_sys");
	}

	private static double mean(List<double[]> figures, int column) {
		return column(figures, column).average().orElse(0);
	}

	private static double most(List<double[]> figures, int column) {
		return column(figures, column).max().orElse(0);
	}

	private static DoubleStream column(List<double[]> figures, int column) {
		return figures.stream().mapToDouble((figure) -> figure[column]);
	}

	/**
	 * One process.
	 */
	private record Instance(Process process, BufferedReader output) implements AutoCloseable {

		static Instance start(int filters, Path guarded, LocalPostgres postgres, LocalRedis redis,
				List<String> properties) throws IOException {
			List<String> command = new ArrayList<>(
					List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-Xmx1g", "-cp",
							System.getProperty("java.class.path") + File.pathSeparator + guarded,
							ManyApplication.class.getName(), String.valueOf(filters), GuardedClass.NAME, postgres.url(),
							String.valueOf(redis.port())));
			command.addAll(properties);
			Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
			return new Instance(process, process.inputReader());
		}

		double[] figures() {
			try {
				String line = String.valueOf(this.output.readLine());
				while (!line.matches("[0-9. ]+|null")) {
					System.err.println(line);
					line = String.valueOf(this.output.readLine());
				}
				return Stream.of(line.split(" ")).mapToDouble(Double::parseDouble).toArray();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		void next() {
			try {
				this.process.getOutputStream().write('\n');
				this.process.getOutputStream().flush();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
		}

		@Override
		public void close() {
			try {
				this.process.getOutputStream().close();
			}
			catch (IOException ex) {
				this.process.destroy();
			}
			this.process.onExit().join();
		}

	}

}
