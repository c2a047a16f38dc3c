/**
 * The marks up to which filters have caught up, kept in Redis.
 */
@NullMarked
package io.github.bloomguard.warmup.redisson;

import org.jspecify.annotations.NullMarked;
