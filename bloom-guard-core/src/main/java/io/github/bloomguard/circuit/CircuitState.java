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

package io.github.bloomguard.circuit;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Predicate;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.library.Library;
import io.github.bloomguard.logging.ThrottledLog;

import org.springframework.core.log.LogMessage;

/**
 * The state of a circuit breaker. The circuit opens when several commands in a row got no
 * reply in time <em>and</em> no reply, not even a late one, has arrived for the time that
 * one caller waits, so a busy machine that replies late is not taken for an outage. Any
 * reply closes the circuit.
 * <p>
 * Concurrency: all threads count into {@code failures}. The thread that counts the first
 * one after a reply writes {@code failingSince}, and any reply resets the count; an
 * update that gets lost in between makes the circuit open or close one command later,
 * which does no harm. Nothing is written while Redis replies.
 */
final class CircuitState {

	private static final int THRESHOLD = 4;

	private final ThrottledLog log = new ThrottledLog(CircuitBreaker.class);

	private final String consequence;

	private final Duration timeout;

	private final Predicate<Throwable> reply;

	private final List<Consumer<Throwable>> listeners = new CopyOnWriteArrayList<>();

	private final AtomicInteger failures = new AtomicInteger();

	private volatile long failingSince;

	private volatile long failedAt;

	private final AtomicReference<Level> level = new AtomicReference<>(Level.CLOSED);

	private volatile boolean silent;

	CircuitState(String consequence, Duration timeout, Predicate<Throwable> reply) {
		this.consequence = consequence;
		this.timeout = timeout;
		this.reply = reply;
	}

	void addListener(Consumer<Throwable> listener) {
		this.listeners.add(listener);
	}

	void silence() {
		this.silent = true;
	}

	boolean isOpen() {
		return this.level.get() != Level.CLOSED;
	}

	boolean isOpenForAll() {
		return this.level.get() == Level.OPEN_FOR_ALL;
	}

	boolean isSuspect() {
		return isOpen()
				|| (this.failures.get() != 0 && System.nanoTime() - this.failedAt <= 2 * this.timeout.toNanos());
	}

	void answered() {
		if (this.failures.get() != 0) {
			this.failures.set(0);
		}
		if (isOpen() && this.level.getAndSet(Level.CLOSED) != Level.CLOSED) {
			this.log.over(LogMessage.format("Redis answers again, so this has ended: %s", this.consequence));
		}
	}

	void failed(Throwable cause) {
		if (this.reply.test(cause)) {
			answered();
			return;
		}
		long now = System.nanoTime();
		this.failedAt = now;
		int count = this.failures.incrementAndGet();
		if (count == 1) {
			this.failingSince = now;
		}
		if (count >= THRESHOLD && now - this.failingSince >= this.timeout.toNanos()) {
			open(Level.OPEN, cause);
		}
	}

	void openForAll(Throwable cause) {
		if (this.failures.get() != 0) {
			open(Level.OPEN_FOR_ALL, cause);
		}
	}

	void open(Throwable cause) {
		if (this.reply.test(cause)) {
			answered();
		}
		else {
			open(Level.OPEN, cause);
		}
	}

	private void open(Level level, Throwable cause) {
		Level former = this.level.getAndUpdate((present) -> (present != Level.OPEN_FOR_ALL) ? level : present);
		if (!this.silent) {
			String outage = (Library.explain(cause) instanceof InvalidGuardException) ? "Redis can't be asked, so %s"
					: "Redis does not answer, so %s until it does";
			this.log.warn(LogMessage.format(outage, this.consequence), cause);
		}
		if (former == Level.CLOSED) {
			this.listeners.forEach((listener) -> listener.accept(cause));
		}
	}

	private enum Level {

		CLOSED,

		OPEN,

		OPEN_FOR_ALL

	}

}
