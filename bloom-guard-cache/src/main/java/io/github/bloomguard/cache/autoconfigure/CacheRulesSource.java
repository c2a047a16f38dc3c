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
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.cache.CacheRules;
import io.github.bloomguard.cache.CacheRules.SharedLoads;
import io.github.bloomguard.cache.autoconfigure.BloomGuardCacheProperties.Cache;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.convert.DurationStyle;

/**
 * Makes {@link CacheRules} from properties, or says which property is wrong.
 */
final class CacheRulesSource implements Function<String, @Nullable CacheRules> {

	private static final String PREFIX = "bloom-guard.cache.";

	private final CacheRules common;

	private final Map<String, @Nullable CacheRules> byName = new HashMap<>();

	private final Map<String, Duration> timesToLive = new HashMap<>();

	CacheRulesSource(BloomGuardCacheProperties properties) {
		checkPositive(PREFIX + "timeout", properties.timeout(), "100ms");
		this.common = new Values(PREFIX, properties.jitter(), properties.emptyTtl(), properties.nullHoldOff(),
				properties.singleFlight(), properties.singleFlightWait(), properties.singleFlightLease(),
				properties.earlyRefresh(), properties.staleOnError())
			.toRules();
		properties.caches().forEach((name, cache) -> {
			this.byName.put(name, cache.enabled() ? rules(name, cache) : null);
			Duration ttl = cache.ttl();
			if (ttl != null && ttl.isNegative()) {
				throw invalid(PREFIX + "caches." + name + ".ttl", DurationStyle.SIMPLE.print(ttl),
						"write a positive duration such as 10m, or 0s for entries that never expire");
			}
			if (ttl != null) {
				this.timesToLive.put(name, ttl);
			}
		});
	}

	Map<String, Duration> timesToLive() {
		return this.timesToLive;
	}

	@Override
	public @Nullable CacheRules apply(String name) {
		return this.byName.containsKey(name) ? this.byName.get(name) : this.common;
	}

	private CacheRules rules(String name, Cache cache) {
		return new Values(PREFIX + "caches." + name + ".", or(cache.jitter(), this.common.jitter()),
				or(cache.emptyTtl(), this.common.emptyTtl()), or(cache.nullHoldOff(), this.common.nullHoldOff()),
				or(cache.singleFlight(), this.common.loads().enabled()),
				or(cache.singleFlightWait(), this.common.loads().longestWait()),
				or(cache.singleFlightLease(), this.common.loads().lease()),
				or(cache.earlyRefresh(), this.common.earlyRefresh()),
				or(cache.staleOnError(), this.common.staleOnError()))
			.toRules();
	}

	private static void checkPositive(String property, Duration value, String example) {
		if (value.toMillis() <= 0) {
			throw invalid(property, DurationStyle.SIMPLE.print(value),
					"write a duration of at least 1ms, such as " + example);
		}
	}

	private static InvalidGuardException invalid(String property, Object value, String remedy) {
		return new InvalidGuardException("The property '" + property + "' has the value '" + value + "'", remedy);
	}

	private static <T> T or(@Nullable T own, T common) {
		return (own != null) ? own : common;
	}

	private record Values(String prefix, double jitter, Duration emptyTtl, Duration nullHoldOff, boolean singleFlight,
			Duration singleFlightWait, Duration singleFlightLease, double earlyRefresh, Duration staleOnError) {

		CacheRules toRules() {
			if (!(this.jitter >= 0 && this.jitter < 1)) {
				throw invalid("jitter", this.jitter,
						"write a number from 0 (all entries live equally long) to less than 1, such as 0.1");
			}
			checkPositive("empty-ttl", this.emptyTtl, "1m");
			checkPositive("null-hold-off", this.nullHoldOff, "30s");
			checkPositive("single-flight-wait", this.singleFlightWait, "5s");
			checkPositive("single-flight-lease", this.singleFlightLease, "10s");
			if (!(this.earlyRefresh >= 0 && Double.isFinite(this.earlyRefresh))) {
				throw invalid("early-refresh", this.earlyRefresh,
						"write 0 to refresh nothing early, or a positive number such as 1");
			}
			if (this.staleOnError.isNegative()) {
				throw invalid("stale-on-error", DurationStyle.SIMPLE.print(this.staleOnError),
						"write 0s to serve nothing that has expired, or a positive duration such as 10m");
			}
			return new CacheRules(this.jitter, this.emptyTtl, this.nullHoldOff,
					new SharedLoads(this.singleFlight, this.singleFlightWait, this.singleFlightLease),
					this.earlyRefresh, this.staleOnError, true);
		}

		private void checkPositive(String name, Duration value, String example) {
			CacheRulesSource.checkPositive(this.prefix + name, value, example);
		}

		private InvalidGuardException invalid(String name, Object value, String remedy) {
			return CacheRulesSource.invalid(this.prefix + name, value, remedy);
		}

	}

}
