package io.github.bloomguard.warmup;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;

import io.github.bloomguard.warmup.WarmUpProgress.Status;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * Keeps the progress of a warm-up and writes it to the log now and then. Written by the
 * one thread that runs the warm-up, read by any.
 */
final class ProgressRecorder {

	private static final Log logger = LogFactory.getLog(WarmUp.class);

	private static final Duration LOG_INTERVAL = Duration.ofSeconds(5);

	private static final int LOG_CHECK = 4096;

	private final String filter;

	private volatile Status status = Status.IDLE;

	private volatile long loaded;

	private volatile @Nullable Long total;

	private volatile @Nullable Instant startedAt;

	private volatile @Nullable Instant endedAt;

	private volatile @Nullable String error;

	private Instant loggedAt = Instant.MIN;

	ProgressRecorder(String filter) {
		this.filter = filter;
	}

	WarmUpProgress snapshot() {
		Instant from = this.startedAt;
		Instant to = this.endedAt;
		return new WarmUpProgress(this.status, this.loaded, this.total, from,
				(from != null) ? Duration.between(from, (to != null) ? to : Instant.now()) : null, this.error);
	}

	void running(Instant now, OptionalLong count) {
		this.loaded = 0;
		this.total = count.isPresent() ? count.getAsLong() : null;
		this.startedAt = now;
		this.endedAt = null;
		this.loggedAt = now;
		this.status = Status.RUNNING;
		logger.info(LogMessage.format("Warm-up of the filter '%s' begins", this.filter));
	}

	@SuppressWarnings("NonAtomicVolatileUpdate")
	void loaded() {
		this.loaded++;
		if (this.loaded % LOG_CHECK == 0) {
			Instant now = Instant.now();
			if (Duration.between(this.loggedAt, now).compareTo(LOG_INTERVAL) >= 0) {
				this.loggedAt = now;
				logger.info(LogMessage.format("Warm-up of the filter '%s': %s", this.filter, describe(snapshot())));
			}
		}
	}

	void waiting() {
		if (this.status != Status.WAITING) {
			this.status = Status.WAITING;
			logger.info(LogMessage.format("Another instance loads the filter '%s'", this.filter));
		}
	}

	void failed(Throwable cause) {
		this.error = cause.toString();
		this.endedAt = Instant.now();
		this.status = Status.FAILED;
	}

	void done() {
		boolean own = this.status == Status.RUNNING;
		this.error = null;
		if (own) {
			this.endedAt = Instant.now();
		}
		this.status = (this.status == Status.IDLE) ? Status.IDLE : Status.COMPLETED;
		if (own) {
			logger.info(
					LogMessage.format("Warm-up of the filter '%s' is complete: %s", this.filter, describe(snapshot())));
		}
		else {
			logger.info(LogMessage.format("The filter '%s' is complete, nothing was loaded here", this.filter));
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
