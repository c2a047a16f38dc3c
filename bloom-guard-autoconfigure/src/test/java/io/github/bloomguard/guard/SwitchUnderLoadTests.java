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

package io.github.bloomguard.guard;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.generation.ModeSwitch;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.Signals;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests how soon four instances under load have a switch of the mode, one of which was
 * frozen when it was switched.
 */
@Tag("proof")
class SwitchUnderLoadTests {

	private static final Duration LONGEST = Duration.ofSeconds(5);

	@Test
	void fourInstancesUnderLoadHaveASwitchSoonAlsoOneThatWasFrozen() throws Exception {
		ExecutorService callers = Executors.newCachedThreadPool();
		AtomicBoolean ended = new AtomicBoolean();
		try (TestRedis redis = TestRedis.start();
				GuardApplication one = start(redis.properties());
				GuardApplication other = start(redis.properties());
				GuardApplication third = start(redis.properties());
				Frozen frozen = new Frozen(redis)) {
			List<GuardApplication> applications = List.of(one, other, third);
			applications.forEach(GuardApplication::awaitReady);
			Awaitility.await().until(frozen::isAbsent);
			for (GuardApplication application : applications) {
				callers.submit(() -> load(application, () -> !ended.get()));
				callers.submit(() -> load(application, () -> !ended.get()));
			}
			for (FilterMode mode : List.of(FilterMode.OFF, FilterMode.ENFORCE, FilterMode.SHADOW)) {
				Signals.send("STOP", frozen.process);
				long switched = System.nanoTime();
				one.products().filter().switchTo(new ModeSwitch(mode, Instant.now(), null)).join();
				await(() -> applications.stream().allMatch((each) -> each.products().filter().mode() == mode));
				long seen = System.nanoTime();
				Signals.send("CONT", frozen.process);
				long thawed = System.nanoTime();
				await(() -> frozen.isAbsent() == (mode == FilterMode.ENFORCE));
				System.out.printf("%s: 3 instances after %d ms, the frozen one %d ms after it went on%n", mode,
						TimeUnit.NANOSECONDS.toMillis(seen - switched),
						TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - thawed));
			}
		}
		finally {
			ended.set(true);
			callers.shutdown();
			assertThat(callers.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
		}
	}

	private static void await(Callable<Boolean> condition) {
		Awaitility.await().atMost(LONGEST).pollInterval(Duration.ofMillis(10)).until(condition);
	}

	private static void load(GuardApplication application, BooleanSupplier goesOn) {
		while (goesOn.getAsBoolean()) {
			application.products().guard().check(-ThreadLocalRandom.current().nextLong(1, Long.MAX_VALUE)).await();
		}
	}

	private static GuardApplication start(String... properties) {
		List<String> all = new ArrayList<>(List.of(properties));
		all.add("bloom-guard.filters.products.mirror.enabled=true");
		return GuardApplication.start(List.of(new Keys("products", 100)), all.toArray(String[]::new));
	}

	/**
	 * An instance in a process of its own.
	 */
	private static final class Frozen implements AutoCloseable {

		private final Process process;

		private final BufferedReader answers;

		Frozen(TestRedis redis) throws IOException {
			List<String> command = new ArrayList<>(
					List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
							System.getProperty("java.class.path"), Main.class.getName()));
			command.addAll(List.of(redis.properties()));
			this.process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
			this.answers = this.process.inputReader(StandardCharsets.US_ASCII);
		}

		boolean isAbsent() throws IOException {
			this.process.outputWriter(StandardCharsets.US_ASCII).append("-1\n").flush();
			String line = this.answers.readLine();
			while (!line.startsWith(Main.ANSWER)) {
				line = this.answers.readLine();
			}
			return line.endsWith("false");
		}

		@Override
		public void close() {
			this.process.destroyForcibly();
		}

	}

	/**
	 * Says of each key what the guard says.
	 */
	static final class Main {

		static final String ANSWER = "answer ";

		public static void main(String[] properties) throws IOException {
			try (GuardApplication application = start(properties);
					BufferedReader in = new BufferedReader(
							new InputStreamReader(System.in, StandardCharsets.US_ASCII))) {
				for (String line = in.readLine(); line != null; line = in.readLine()) {
					System.out.println(ANSWER + application.guard().mightContain("products", Long.parseLong(line)));
				}
			}
		}

	}

}
