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
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.bloomguard.benchmarks.contender.ProductTable;
import io.github.bloomguard.benchmarks.server.LocalPostgres;
import io.github.bloomguard.benchmarks.server.LocalRedis;
import io.github.bloomguard.benchmarks.server.Machine;
import io.github.bloomguard.benchmarks.start.StartedApplication;

/**
 * Measures what the start of an application costs without the starter, with it, and with
 * one filter: processes that start in turns.
 */
public final class StartRunner {

	private static final int ROWS = 100_000;

	/**
	 * What this module has beside the starter, and applications have not.
	 */
	private static final String MORE = "bloom-guard-changes|redisson-spring-data|jetcache";

	/**
	 * What the starter brings and nothing else here needs.
	 */
	private static final String BROUGHT = "bloom-guard|redisson|kryo|reflectasm|minlog|objenesis|jodd-util"
			+ "|netty-codec-(compression|marshalling|protobuf)";

	private StartRunner() {
	}

	/**
	 * Measure.
	 * @param args how many rounds; 9 without
	 * @throws IOException if an application does not start
	 */
	public static void main(String[] args) throws IOException {
		int rounds = (args.length > 0) ? Integer.parseInt(args[0]) : 9;
		try (LocalPostgres postgres = LocalPostgres.start(); LocalRedis redis = LocalRedis.start()) {
			ProductTable.create(postgres, ROWS);
			List<Start> before = new ArrayList<>();
			List<Start> starter = new ArrayList<>();
			List<Start> filter = new ArrayList<>();
			for (int round = 0; round < rounds; round++) {
				before.add(start(MORE + "|" + BROUGHT, false, postgres, redis));
				starter.add(start(MORE, false, postgres, redis));
				filter.add(start(MORE, true, postgres, redis));
			}
			System.out.println(Machine.describe(redis, postgres));
			System.out.println();
			System.out.println("| application | CPU s, median | least | most | elapsed s | classes |");
			System.out.println("| --- | ---: | ---: | ---: | ---: | ---: |");
			print("before", before);
			print("with the starter", starter);
			print("with a filter, until it answers", filter);
		}
	}

	private static Start start(String without, boolean filter, LocalPostgres postgres, LocalRedis redis)
			throws IOException {
		String classPath = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
			.filter((entry) -> !Path.of(entry).getFileName().toString().matches("(" + without + ")-.*"))
			.collect(Collectors.joining(File.pathSeparator));
		long begun = System.nanoTime();
		Process process = new ProcessBuilder(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
				classPath, StartedApplication.class.getName(), String.valueOf(filter), postgres.url(),
				String.valueOf(redis.port()))
			.redirectError(ProcessBuilder.Redirect.INHERIT)
			.start();
		try (BufferedReader output = process.inputReader()) {
			String[] figures = String.valueOf(output.readLine()).split(" ");
			double elapsed = (System.nanoTime() - begun) / 1e9;
			return new Start(Long.parseLong(figures[0]) / 1e3, elapsed, Long.parseLong(figures[1]));
		}
		finally {
			process.onExit().join();
		}
	}

	private static void print(String application, List<Start> starts) {
		DoubleSummaryStatistics cpu = starts.stream().mapToDouble(Start::cpu).summaryStatistics();
		System.out.printf(Locale.ROOT, "| %s | %.2f | %.2f | %.2f | %.2f | %,.0f |%n", application,
				median(starts, Start::cpu), cpu.getMin(), cpu.getMax(), median(starts, Start::elapsed),
				median(starts, Start::classes));
	}

	private static double median(List<Start> starts, ToDoubleFunction<Start> figure) {
		return Observations.median(starts.stream().mapToDouble(figure).toArray());
	}

	/**
	 * What a process has told of its start.
	 *
	 * @param cpu the seconds of user and system time of the process
	 * @param elapsed the seconds until it has told
	 * @param classes how many classes it had loaded
	 */
	private record Start(double cpu, double elapsed, long classes) {

	}

}
