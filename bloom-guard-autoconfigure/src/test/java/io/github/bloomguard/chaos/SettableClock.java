package io.github.bloomguard.chaos;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import io.github.bloomguard.generation.MonotonicClock;

/**
 * The clock of an instance whose time of day is set now and then.
 */
final class SettableClock implements MonotonicClock {

	private final AtomicReference<Duration> set = new AtomicReference<>(Duration.ZERO);

	void setForward(Duration by) {
		this.set.updateAndGet((before) -> before.plus(by));
	}

	@Override
	public long nanoTime() {
		return SYSTEM.nanoTime();
	}

	@Override
	public Duration behindTimeOfDay() {
		return SYSTEM.behindTimeOfDay().plus(this.set.get());
	}

	@Override
	public CompletableFuture<Void> after(Duration delay) {
		return SYSTEM.after(delay);
	}

}
