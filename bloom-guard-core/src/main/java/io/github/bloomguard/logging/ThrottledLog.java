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

package io.github.bloomguard.logging;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

/**
 * The log of one thing that may happen very often, mostly to one filter. It is written
 * when it begins, once a minute with the number of times while it goes on, and when it is
 * over. What else is written does not matter, so no line gets lost to those of others.
 * Stack traces are written for each failure, at the level {@code DEBUG}.
 * <p>
 * Concurrency: the thread that finds the last line old enough and moves {@code writtenAt}
 * writes, all others count into {@code unwritten}; a line tells, and takes away, what was
 * counted before it. No lock is held while something is written.
 */
public final class ThrottledLog {

	private static final long PAUSE = Duration.ofMinutes(1).toNanos();

	private final Log logger;

	private final LongSupplier clock;

	private final AtomicLong writtenAt;

	private final AtomicLong unwritten = new AtomicLong();

	private final AtomicBoolean goingOn = new AtomicBoolean();

	public ThrottledLog(Class<?> source) {
		this(LogFactory.getLog(source), System::nanoTime);
	}

	ThrottledLog(Log logger, LongSupplier clock) {
		this.logger = logger;
		this.clock = clock;
		this.writtenAt = new AtomicLong(clock.getAsLong() - PAUSE);
	}

	public void info(CharSequence message) {
		if (isDue()) {
			this.logger.info(message);
		}
	}

	public void warn(CharSequence message, @Nullable Throwable failure) {
		if (begins()) {
			this.logger.warn(line(message, failure));
		}
		debug(message, failure);
	}

	public void error(CharSequence message, @Nullable Throwable failure) {
		if (begins()) {
			this.logger.error(line(message, failure));
		}
		debug(message, failure);
	}

	/**
	 * Write the end of what was written to go on, at the level {@code WARN}, so that it
	 * is not lost where the beginning was not.
	 */
	public void over(CharSequence message) {
		if (this.goingOn.get() && this.goingOn.compareAndSet(true, false)) {
			this.logger.warn(message);
		}
	}

	private boolean begins() {
		if (isDue()) {
			this.goingOn.set(true);
			return true;
		}
		return false;
	}

	private boolean isDue() {
		long now = this.clock.getAsLong();
		long before = this.writtenAt.get();
		if (now - before >= PAUSE && this.writtenAt.compareAndSet(before, now)) {
			return true;
		}
		this.unwritten.incrementAndGet();
		return false;
	}

	private String line(CharSequence message, @Nullable Throwable failure) {
		StringBuilder line = new StringBuilder(message);
		if (failure != null) {
			line.append(": ").append(FailureDescription.of(failure));
		}
		long more = this.unwritten.getAndSet(0);
		if (more > 0) {
			line.append(" (").append(more).append(" more like this since the last line)");
		}
		if (failure != null && !this.logger.isDebugEnabled()) {
			line.append(", see DEBUG for details");
		}
		return line.toString();
	}

	private void debug(CharSequence message, @Nullable Throwable failure) {
		if (failure != null) {
			this.logger.debug(message, failure);
		}
	}

}
