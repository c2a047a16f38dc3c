package io.github.bloomguard.guard;

import java.time.Duration;

/**
 * The longest waits for Redis.
 *
 * @param lookup for the answer to one call, after which it goes on unguarded
 * @param add for adding keys, after which adding them has failed
 * @since 0.1.0
 */
public record Timeouts(Duration lookup, Duration add) {

}
