package io.github.bloomguard.autoconfigure.cache;

import io.github.bloomguard.cache.RedisAvailability;
import io.github.bloomguard.guard.Circuit;

/**
 * Lets caches know what the guard knows about Redis, and the other way round.
 *
 * @param circuit the guard's
 */
record CircuitAvailability(Circuit circuit) implements RedisAvailability {

	@Override
	public boolean permits() {
		return this.circuit.permitsOptional();
	}

	@Override
	public void answered() {
		this.circuit.answered();
	}

	@Override
	public void failed(Throwable failure) {
		this.circuit.failed(failure);
	}

}
