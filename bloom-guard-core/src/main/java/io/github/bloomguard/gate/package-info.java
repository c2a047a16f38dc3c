/**
 * How long a call waits for Redis, and when it is not asked at all.
 */
@NullMarked
package io.github.bloomguard.gate;

import org.jspecify.annotations.NullMarked;
