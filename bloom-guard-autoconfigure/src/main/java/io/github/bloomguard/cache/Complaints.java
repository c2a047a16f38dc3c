package io.github.bloomguard.cache;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.core.NestedExceptionUtils;

/**
 * Writes failures that callers are spared to the log; not all of them, since while Redis
 * or the database is gone each call has one.
 */
final class Complaints {

	private static final Log logger = LogFactory.getLog(Complaints.class);

	private static final long PAUSE = Duration.ofSeconds(10).toNanos();

	private final AtomicLong last = new AtomicLong(System.nanoTime() - PAUSE);

	void report(String cache, String what, Throwable failure) {
		long now = System.nanoTime();
		long before = this.last.get();
		if (now - before >= PAUSE && this.last.compareAndSet(before, now)) {
			logger.warn("Cache '" + cache + "': " + what + " (logged every 10 s at most): "
					+ NestedExceptionUtils.getMostSpecificCause(failure));
		}
		if (logger.isDebugEnabled()) {
			logger.debug("Cache '" + cache + "': " + what, failure);
		}
	}

}
