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

package io.github.bloomguard.chaos;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

import io.github.bloomguard.Membership;
import io.github.bloomguard.testsupport.Signals;

/**
 * The instance in a process of its own. It is asked for rows, also while it is frozen:
 * those questions it finds when it goes on, and then it must not answer from what it knew
 * before.
 */
final class InstanceProcess implements AutoCloseable {

	/**
	 * How many questions may wait for their answers, so that they fit into the pipe.
	 */
	private static final int WAITING = 2_000;

	private final Ledger ledger;

	private final Oracle oracle;

	private final Class<?> main;

	private final String[] arguments;

	private volatile Running running;

	/**
	 * Start the process.
	 * @param ledger knows the rows
	 * @param oracle judges
	 * @param main answers as {@link InstanceMain} does
	 * @param arguments are those of that
	 */
	InstanceProcess(Ledger ledger, Oracle oracle, Class<?> main, String... arguments) {
		this.ledger = ledger;
		this.oracle = oracle;
		this.main = main;
		this.arguments = arguments;
		this.running = new Running();
	}

	/** Send SIGSTOP for a while. */
	void freeze(long millis) {
		Signals.send("STOP", this.running.process);
		Faults.pause(millis);
		Signals.send("CONT", this.running.process);
	}

	/** Send SIGKILL, and start another one. */
	void kill() {
		this.running.close();
		this.running = new Running();
	}

	void ask(Random random, BooleanSupplier goesOn) {
		while (goesOn.getAsBoolean()) {
			this.running.ask(switch (random.nextInt(3)) {
				case 0 -> this.ledger.any(random, 20);
				case 1 -> this.ledger.any(random, Integer.MAX_VALUE);
				default -> Traffic.ABSENT + random.nextInt(3_000);
			});
			Faults.pause(1);
		}
	}

	@Override
	public void close() {
		this.running.close();
	}

	/**
	 * One process.
	 */
	private final class Running implements AutoCloseable {

		private final Process process;

		private final Writer questions;

		private final Queue<Question> asked = new ConcurrentLinkedQueue<>();

		private final AtomicInteger waiting = new AtomicInteger();

		Running() {
			try {
				List<String> command = new ArrayList<>(List.of(
						Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp",
						System.getProperty("java.class.path"), "-Dchaos.type=" + Instance.TYPE,
						"-D" + Instance.SHARDS_PROPERTY + "=" + Instance.SHARDS, InstanceProcess.this.main.getName()));
				command.addAll(List.of(InstanceProcess.this.arguments));
				this.process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
			}
			catch (IOException ex) {
				throw new UncheckedIOException(ex);
			}
			this.questions = this.process.outputWriter(StandardCharsets.US_ASCII);
			Thread reader = new Thread(this::read, "answers of process " + this.process.pid());
			reader.setDaemon(true);
			reader.start();
		}

		void ask(long id) {
			if (this.waiting.get() >= WAITING) {
				return;
			}
			this.waiting.incrementAndGet();
			this.asked.add(new Question(id, System.nanoTime()));
			try {
				this.questions.write(id + "\n");
				this.questions.flush();
			}
			catch (IOException ex) {
				// it has been killed
			}
		}

		private void read() {
			long mirrored = 0;
			try (BufferedReader answers = this.process.inputReader(StandardCharsets.US_ASCII)) {
				for (String line = answers.readLine(); line != null; line = answers.readLine()) {
					if (line.startsWith(InstanceMain.ANSWER)) {
						String[] words = line.split(" ");
						this.waiting.decrementAndGet();
						judge(this.asked.remove(), Membership.valueOf(words[1]), Long.parseLong(words[2]) > mirrored);
						mirrored = Long.parseLong(words[2]);
					}
				}
			}
			catch (IOException ex) {
				// it has been killed
			}
		}

		private void judge(Question question, Membership answer, boolean mirrored) {
			InstanceProcess.this.oracle.count("process: " + answer + (mirrored ? " by its mirror" : ""));
			if (answer == Membership.ABSENT) {
				InstanceProcess.this.oracle.absent(question.id, question.at,
						() -> "asked of the process" + (mirrored ? ", and answered by its mirror" : ""));
			}
		}

		@Override
		public void close() {
			this.process.destroyForcibly();
			try {
				this.process.waitFor(10, TimeUnit.SECONDS);
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

	}

	private record Question(long id, long at) {

	}

}
