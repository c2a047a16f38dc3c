/**
 * All that knows Redisson: the bits of filters, their control records, sentinels and
 * marks, kept in Redis.
 */
@NullMarked
package io.github.bloomguard.backend.redis;

import org.jspecify.annotations.NullMarked;
