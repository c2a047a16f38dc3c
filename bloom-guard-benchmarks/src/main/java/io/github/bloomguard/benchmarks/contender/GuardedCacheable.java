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

package io.github.bloomguard.benchmarks.contender;

import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;

import javax.sql.DataSource;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.instance.MirrorStatus.State;

/**
 * {@code @BloomGuarded} and {@code @Cacheable}, as the starter configures them, or
 * without a mirror or without verification.
 */
final class GuardedCacheable extends CacheableContender {

	private final String name;

	GuardedCacheable(ProductTable table, DataSource dataSource, int rows, double falsePositiveProbability,
			boolean mirror, boolean verified) {
		super(table, ProductApplication.start(new GuardedProducts(table), dataSource, Driver.LETTUCE,
				Map.of("expected-insertions", rows, "false-positive-probability", falsePositiveProbability,
						"warm-up.query", "select id from product", "caches", "products", "rebuild.longest-transaction",
						"100ms", "rebuild.settle", "0s", "verification.required-calls", 0, "verification.mode",
						verified ? "behind" : "off", "mirror.enabled", mirror)
					.entrySet()
					.stream()
					.map((property) -> "bloom-guard.filters.products." + property.getKey() + "=" + property.getValue())
					.toArray(String[]::new)));
		this.name = "bloom-guard%s (p = %s) + @Cacheable"
			.formatted(mirror ? verified ? "" : " without verification" : " without mirror", falsePositiveProbability);
		application().bean(BloomGuard.class).rebuild("products").join();
		GenerationalFilter filter = Objects.requireNonNull(application().bean(ManagedFilters.class).find("products"))
			.filter();
		while (filter.state() != FilterState.READY || (mirror && filter.mirrorStatus().state() != State.ANSWERING)) {
			LockSupport.parkNanos(1_000_000);
		}
	}

	@Override
	public String name() {
		return this.name;
	}

}
