package io.github.bloomguard.sentinel;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.CompletableFuture;

/**
 * Remembers which keys passed a filter and were not found. Nothing here waits.
 *
 * @since 0.1.0
 */
public interface EmptySentinels {

	/**
	 * Tell whether a key was not found lately.
	 * @param key the key in its one form
	 * @param scope names those who look for the same
	 * @return whether a sentinel is there, exceptionally if Redis did not answer
	 */
	CompletableFuture<Boolean> contains(String key, String scope);

	/**
	 * Remember that a key was not found, until the epoch moves, unless the key has been
	 * added meanwhile, or so much has happened since that this can't be known.
	 * @param key the key in its one form
	 * @param scope names those who look for the same
	 * @param ttl for how long; shorter if something else was not found for the key before
	 * @param epoch the epoch of the filter before the row was looked for
	 * @return completed when it is remembered
	 */
	CompletableFuture<Void> remember(String key, String scope, Duration ttl, long epoch);

	/**
	 * Forget that keys were not found. They must have been noted as added before, which
	 * keeps those who looked for them earlier from remembering it after all.
	 * @param keys the keys in their one form
	 * @return completed when they are forgotten
	 */
	CompletableFuture<Void> forget(Collection<String> keys);

}
