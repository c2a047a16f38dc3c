/**
 * Empty sentinels kept in Redis.
 */
@NullMarked
package io.github.bloomguard.sentinel.redisson;

import org.jspecify.annotations.NullMarked;
