package io.github.bloomguard.generation;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The time that trust and waiting are measured by: it never goes back, and has nothing to
 * do with the clock of another machine.
 *
 * @since 0.1.0
 */
public interface MonotonicClock {

	/**
	 * The clock of this process.
	 */
	MonotonicClock SYSTEM = new MonotonicClock() {

		@Override
		public long nanoTime() {
			return System.nanoTime();
		}

		@Override
		public Duration behindTimeOfDay() {
			return Duration.ofMillis(System.currentTimeMillis() - TimeUnit.NANOSECONDS.toMillis(nanoTime()));
		}

		@Override
		public CompletableFuture<Void> after(Duration delay) {
			// not a delayed executor: that one may have to wait for a thread of the
			// common pool
			return delay.isZero() ? CompletableFuture.completedFuture(null)
					: new CompletableFuture<Void>().completeOnTimeout(null, delay.toMillis(), TimeUnit.MILLISECONDS);
		}

	};

	/**
	 * Return the time, as {@link System#nanoTime()} does.
	 * @return nanoseconds since any moment
	 */
	long nanoTime();

	/**
	 * Return by how much this clock is behind the time of day. It changes when the
	 * machine has slept, and this clock with it.
	 * @return the difference, always the same for a clock that never stands still
	 */
	default Duration behindTimeOfDay() {
		return Duration.ZERO;
	}

	/**
	 * Wait without a thread.
	 * @param delay how long
	 * @return completed when the time has passed
	 */
	CompletableFuture<Void> after(Duration delay);

}
