/**
 * Filters that the server itself has: Bloom filters ({@code BF.*}) and cuckoo filters
 * ({@code CF.*}), as Redis 8, Redis Stack and the module RedisBloom offer them.
 */
@NullMarked
package io.github.bloomguard.backend.redis.module;

import org.jspecify.annotations.NullMarked;
