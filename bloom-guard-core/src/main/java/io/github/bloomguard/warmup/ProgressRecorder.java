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

package io.github.bloomguard.warmup;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;

import io.github.bloomguard.logging.FailureDescription;
import io.github.bloomguard.logging.ThrottledLog;
import io.github.bloomguard.warmup.WarmUpProgress.Status;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * Keeps and logs the progress of a warm-up; several threads count its keys.
 */
final class ProgressRecorder {

	private static final Duration LOG_INTERVAL = Duration.ofSeconds(5);

	private static final int LOG_CHECK = 4096;

	private final ThrottledLog beginnings = new ThrottledLog(WarmUp.class);

	private final ThrottledLog waits = new ThrottledLog(WarmUp.class);

	private final ThrottledLog renewals = new ThrottledLog(WarmUp.class);

	private final ThrottledLog steps = new ThrottledLog(WarmUp.class);

	private final ThrottledLog ends = new ThrottledLog(WarmUp.class);

	private final String filter;

	private volatile Status status = Status.IDLE;

	private final AtomicLong read = new AtomicLong();

	private volatile int passes = 1;

	private volatile @Nullable Long total;

	private volatile @Nullable Instant startedAt;

	private volatile @Nullable Instant endedAt;

	private volatile @Nullable String error;

	private final AtomicReference<Instant> loggedAt = new AtomicReference<>(Instant.MIN);

	private final LongSupplier clock;

	/**
	 * Since when another has had the lease of the builder, and whether it is known to
	 * have renewed it. Only the run of the warm-up uses both.
	 */
	private long waitingSince;

	private boolean renewed;

	ProgressRecorder(String filter) {
		this(filter, System::nanoTime);
	}

	ProgressRecorder(String filter, LongSupplier clock) {
		this.filter = filter;
		this.clock = clock;
	}

	WarmUpProgress snapshot() {
		Instant from = this.startedAt;
		Instant to = this.endedAt;
		return new WarmUpProgress(this.status, this.read.get() / this.passes, this.total, from,
				(from != null) ? Duration.between(from, (to != null) ? to : Instant.now()) : null, this.error, null);
	}

	void running(Instant now, OptionalLong count, int passes) {
		this.read.set(0);
		this.passes = passes;
		this.total = count.isPresent() ? count.getAsLong() : null;
		this.startedAt = now;
		this.endedAt = null;
		this.loggedAt.set(now);
		this.status = Status.RUNNING;
		this.beginnings.info(LogMessage.format("Warm-up of the filter '%s' begins%s", this.filter,
				(passes > 1) ? ", in " + passes + " passes because of warm-up.max-memory" : ""));
	}

	void loaded() {
		if (this.read.incrementAndGet() % LOG_CHECK == 0) {
			Instant now = Instant.now();
			Instant before = Objects.requireNonNull(this.loggedAt.get());
			if (Duration.between(before, now).compareTo(LOG_INTERVAL) >= 0
					&& this.loggedAt.compareAndSet(before, now)) {
				this.steps.info(LogMessage.format("Warm-up of the filter '%s': %s", this.filter, describe(snapshot())));
			}
		}
	}

	/**
	 * Note that another has the lease of the builder. Until a lease has passed, that may
	 * be one which is not there any more.
	 */
	void waiting() {
		long now = this.clock.getAsLong();
		if (this.status != Status.WAITING) {
			this.status = Status.WAITING;
			this.waitingSince = now;
			this.renewed = false;
			this.waits.info(LogMessage.format(
					"Warm-up of the filter '%s' waits: another instance began to load it. Whether that still loads, or"
							+ " was ended meanwhile, shows in %s s at most",
					this.filter, GenerationBuilder.LEASE.toSeconds()));
		}
		else if (!this.renewed && now - this.waitingSince > GenerationBuilder.LEASE.toNanos()) {
			this.renewed = true;
			this.renewals.info(LogMessage.format("Another instance loads the filter '%s'", this.filter));
		}
	}

	void failed(Throwable cause) {
		this.error = FailureDescription.of(cause);
		this.endedAt = Instant.now();
		this.status = Status.FAILED;
	}

	void done(boolean served) {
		boolean own = this.status == Status.RUNNING;
		this.error = null;
		if (own) {
			this.endedAt = Instant.now();
		}
		this.status = (this.status == Status.IDLE) ? Status.IDLE : Status.COMPLETED;
		if (own) {
			this.ends.info(
					LogMessage.format("Warm-up of the filter '%s' is complete: %s", this.filter, describe(snapshot())));
		}
		else if (served) {
			this.ends.info(LogMessage.format("The filter '%s' is complete, nothing was loaded here", this.filter));
		}
	}

	private static String describe(WarmUpProgress progress) {
		Duration duration = (progress.duration() != null) ? progress.duration() : Duration.ZERO;
		double seconds = Math.max(duration.toMillis(), 1) / 1000.0;
		double rate = progress.loaded() / seconds;
		StringBuilder text = new StringBuilder(
				"%,d keys in %.1f s (%,.0f keys/s)".formatted(progress.loaded(), seconds, rate));
		Long total = progress.total();
		if (total != null && total > progress.loaded()) {
			text.append(", %.0f %%, about %.0f s left".formatted(100.0 * progress.loaded() / total,
					(total - progress.loaded()) / Math.max(rate, 1)));
		}
		return text.toString();
	}

}
