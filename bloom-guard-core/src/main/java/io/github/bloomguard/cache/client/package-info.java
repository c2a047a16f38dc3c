/**
 * What guarded caches do differently for each driver of Spring Data Redis, so that a
 * caller waits for Redis no longer than it may and no thread more is involved.
 */
@NullMarked
package io.github.bloomguard.cache.client;

import org.jspecify.annotations.NullMarked;
