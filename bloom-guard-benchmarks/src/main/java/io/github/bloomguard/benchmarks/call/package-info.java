/**
 * A guarded call without the round trip to Redis.
 */
@NullMarked
package io.github.bloomguard.benchmarks.call;

import org.jspecify.annotations.NullMarked;
