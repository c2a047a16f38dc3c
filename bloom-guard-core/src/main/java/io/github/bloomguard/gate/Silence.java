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

package io.github.bloomguard.gate;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

import io.github.bloomguard.gate.RedisGate.SilenceListener;
import io.github.bloomguard.logging.ThrottledLog;

import org.springframework.core.log.LogMessage;

/**
 * Whether one Redis is silent: several questions in a row were not answered in time,
 * <em>and</em> no answer to any question has come for as long as one caller waits, be it
 * late. So a busy machine, on which some answers are late, is not taken for an outage,
 * and whatever answer arrives ends a silence.
 * <p>
 * Concurrency: all threads count into {@code failures}. Whoever counts the first one
 * after an answer writes {@code failingSince}, and any answer resets the count; an update
 * that gets lost in between makes a silence begin or end one question later, which does
 * no harm. Nothing is written while all questions are answered.
 */
final class Silence {

	/**
	 * How many questions in a row are not answered by a Redis that is silent.
	 */
	private static final int ENOUGH = 4;

	private final ThrottledLog log = new ThrottledLog(RedisGate.class);

	private final String consequence;

	private final Duration timeout;

	private final Predicate<Throwable> reply;

	private final List<SilenceListener> listeners = new CopyOnWriteArrayList<>();

	private final AtomicInteger failures = new AtomicInteger();

	private volatile long failingSince;

	private volatile long failedAt;

	private final AtomicReference<Level> level = new AtomicReference<>(Level.NONE);

	/**
	 * Create a silence that has not begun.
	 * @param consequence what the log says about calls meanwhile
	 * @param timeout how long one caller waits
	 * @param reply tells whether a failure is an error that Redis has replied
	 */
	Silence(String consequence, Duration timeout, Predicate<Throwable> reply) {
		this.consequence = consequence;
		this.timeout = timeout;
		this.reply = reply;
	}

	void addListener(SilenceListener listener) {
		this.listeners.add(listener);
	}

	boolean isOn() {
		return this.level.get() != Level.NONE;
	}

	/**
	 * Return whether somebody has waited in vain for as long as anybody waits.
	 */
	boolean isLasting() {
		return this.level.get() == Level.LASTING;
	}

	/**
	 * Tell whether Redis is silent, or has just failed to answer.
	 */
	boolean isLikely() {
		return isOn() || (this.failures.get() != 0 && System.nanoTime() - this.failedAt <= 2 * this.timeout.toNanos());
	}

	void answered() {
		if (this.failures.get() != 0) {
			this.failures.set(0);
		}
		if (isOn() && this.level.getAndSet(Level.NONE) != Level.NONE) {
			this.log.over(LogMessage.format("Redis answers again; it is over that %s", this.consequence));
			this.listeners.forEach(SilenceListener::onAnswer);
		}
	}

	/**
	 * A question was not answered in time, or with an error.
	 */
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
		if (count >= ENOUGH && now - this.failingSince >= this.timeout.toNanos()) {
			begin(Level.ON, cause);
		}
	}

	/**
	 * A question whose failure was counted before has not been answered for as long as
	 * anybody waits.
	 */
	void lasts(Throwable cause) {
		if (this.failures.get() != 0) {
			begin(Level.LASTING, cause);
		}
	}

	/**
	 * A question was not answered in such a time that there is no doubt, or with an
	 * error.
	 */
	void failedForSure(Throwable cause) {
		if (this.reply.test(cause)) {
			answered();
		}
		else {
			begin(Level.ON, cause);
		}
	}

	private void begin(Level level, Throwable cause) {
		Level former = this.level.getAndUpdate((present) -> (present != Level.LASTING) ? level : present);
		this.log.warn(LogMessage.format("Redis does not answer, so %s until it does", this.consequence), cause);
		if (former == Level.NONE) {
			this.listeners.forEach((listener) -> listener.onSilence(cause));
		}
	}

	private enum Level {

		/**
		 * Redis answers.
		 */
		NONE,

		/**
		 * Redis is silent for those who can do without it.
		 */
		ON,

		/**
		 * Redis is silent for everybody.
		 */
		LASTING

	}

}
