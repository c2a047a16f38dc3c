/**
 * What is done to Spring's {@link org.springframework.data.redis.cache.RedisCacheWriter}
 * so that a Redis cache keeps its database alive: expirations are spread, null values are
 * short-lived and can't hide a new row, and a missing key is loaded once.
 */
@NullMarked
package io.github.bloomguard.cache;

import org.jspecify.annotations.NullMarked;
