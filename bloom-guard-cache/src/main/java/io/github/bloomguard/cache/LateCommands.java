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

package io.github.bloomguard.cache;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

/**
 * Commands that missed their deadline and go on in the background: one after the other,
 * each for as long as the application's driver waits. Nothing else waits for them, so a
 * command has to be right whenever it arrives, and also if Redis has run it before. What
 * is owed to Redis is tried again until it has succeeded.
 * <p>
 * Concurrency: the queue is guarded by the monitor, which is not held while a command
 * runs. At most one thread of the executor runs them.
 */
final class LateCommands {

	static final int MOST = 1_000;

	static final int MOST_BYTES = 16 * 1024 * 1024;

	private static final Duration PAUSE = Duration.ofMillis(250);

	private final EntryScripts scripts;

	private final Executor executor;

	private final Queue<Late> waiting = new ArrayDeque<>();

	private long bytes;

	private boolean running;

	/**
	 * @param scripts those for which one waits as long as the application's driver does
	 */
	LateCommands(EntryScripts scripts, Executor executor) {
		this.scripts = scripts;
		this.executor = executor;
	}

	/**
	 * Let a command go on, unless there are too many already.
	 * @param bytes what it keeps in memory
	 * @param outcome is told what the command returns, {@code false} if there is no room
	 * for it or it fails
	 */
	void add(int bytes, Predicate<EntryScripts> command, Consumer<Boolean> outcome) {
		enqueueOrDrop(new Late(bytes, command, outcome, false));
	}

	/**
	 * Let a command go on, and repeat it until it does not fail.
	 * @param outcome is told {@code true} then, {@code false} if there is no room for it
	 */
	void owe(Runnable command, Consumer<Boolean> outcome) {
		enqueueOrDrop(new Late(0, (scripts) -> {
			command.run();
			return true;
		}, outcome, true));
	}

	private void enqueueOrDrop(Late late) {
		if (!enqueue(late)) {
			late.outcome().accept(false);
		}
	}

	private synchronized boolean enqueue(Late late) {
		if (this.waiting.size() >= MOST || this.bytes + late.bytes() > MOST_BYTES) {
			return false;
		}
		if (!this.running) {
			try {
				this.executor.execute(this::run);
			}
			catch (RejectedExecutionException | OutOfMemoryError ex) {
				return false;
			}
			this.running = true;
		}
		this.waiting.add(late);
		this.bytes += late.bytes();
		return true;
	}

	private synchronized @Nullable Late next() {
		Late late = this.waiting.poll();
		this.running = late != null;
		this.bytes -= (late != null) ? late.bytes() : 0;
		return late;
	}

	private void run() {
		for (Late late = next(); late != null && !Thread.currentThread().isInterrupted(); late = next()) {
			boolean succeeded = succeeds(late.command());
			if (succeeded || !late.owed()) {
				late.outcome().accept(succeeded);
			}
			else {
				LockSupport.parkNanos(PAUSE.toNanos());
				enqueueOrDrop(late);
			}
		}
	}

	private boolean succeeds(Predicate<EntryScripts> command) {
		try {
			return command.test(this.scripts);
		}
		catch (Throwable ex) {
			// also an error: others wait behind it
			return false;
		}
	}

	private record Late(int bytes, Predicate<EntryScripts> command, Consumer<Boolean> outcome, boolean owed) {

	}

}
