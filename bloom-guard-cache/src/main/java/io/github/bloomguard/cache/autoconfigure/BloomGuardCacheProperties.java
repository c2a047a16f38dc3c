/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.bloomguard.cache.autoconfigure;

import java.time.Duration;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.ConfigurationPropertiesSource;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Properties of the guard of Spring's Redis caches.
 *
 * @param enabled Whether Redis caches are guarded.
 * @param jitter Part of a time to live, or of its renewal by time-to-idle, by which it
 * may be shorter or longer, from 0 to less than 1. Entries that never expire stay as they
 * are.
 * @param emptyTtl Time to live of null values, unless that of the cache is shorter.
 * @param nullHoldOff Time for which no null value is stored for a key after it was added
 * or evicted, or the cache cleared. Should be longer than a load or a transaction takes.
 * @param singleFlight Whether callers that miss the same key share one load. Needs
 * '@Cacheable(sync = true)'.
 * @param singleFlightWait Time that a caller waits for the load of another one before it
 * loads by itself.
 * @param singleFlightLease Time that an instance may take to load before others load too.
 * Should be longer than a load takes. It ends the wait for an instance that has died.
 * @param earlyRefresh How eagerly a value is loaded again in the background before it
 * expires: 0 for not at all, 1 for the optimum of XFetch, more for earlier. Needs
 * '@Cacheable(sync = true)'.
 * @param staleOnError Time after its expiry for which a value is served if loading it
 * fails, 0 for not at all. Needs '@Cacheable(sync = true)'.
 * @param timeout Longest wait for Redis before a call goes on without the cache.
 * @param caches Other values for single caches, by their name.
 * @since 1.0.0
 */
@ConfigurationProperties("bloom-guard.cache")
public record BloomGuardCacheProperties(@DefaultValue("true") boolean enabled, @DefaultValue("0.1") double jitter,
		@DefaultValue("1m") Duration emptyTtl, @DefaultValue("30s") Duration nullHoldOff,
		@DefaultValue("true") boolean singleFlight, @DefaultValue("5s") Duration singleFlightWait,
		@DefaultValue("10s") Duration singleFlightLease, @DefaultValue("0") double earlyRefresh,
		@DefaultValue("0s") Duration staleOnError, @DefaultValue("100ms") Duration timeout,
		@DefaultValue Map<String, Cache> caches) {

	/**
	 * Other values for one cache.
	 *
	 * @param enabled Whether this cache is guarded.
	 * @param ttl Time to live of its entries, instead of
	 * 'spring.cache.redis.time-to-live'. Zero if they never expire.
	 * @param jitter Part of a time to live by which it may be shorter or longer, from 0
	 * to less than 1.
	 * @param emptyTtl Time to live of null values.
	 * @param nullHoldOff Time for which no null value is stored for a key after it was
	 * added or evicted.
	 * @param singleFlight Whether callers that miss the same key share one load.
	 * @param singleFlightWait Time that a caller waits for the load of another one before
	 * it loads by itself.
	 * @param singleFlightLease Time that an instance may take to load before others load
	 * too.
	 * @param earlyRefresh How eagerly a value is loaded again in the background before it
	 * expires, 0 for not at all.
	 * @param staleOnError Time after its expiry for which a value is served if loading it
	 * fails, 0 for not at all.
	 */
	@ConfigurationPropertiesSource
	public record Cache(@DefaultValue("true") boolean enabled, @Nullable Duration ttl, @Nullable Double jitter,
			@Nullable Duration emptyTtl, @Nullable Duration nullHoldOff, @Nullable Boolean singleFlight,
			@Nullable Duration singleFlightWait, @Nullable Duration singleFlightLease, @Nullable Double earlyRefresh,
			@Nullable Duration staleOnError) {

	}

}
