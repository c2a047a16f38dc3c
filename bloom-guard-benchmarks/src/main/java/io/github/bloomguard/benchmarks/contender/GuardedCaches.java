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

import javax.sql.DataSource;

/**
 * The same {@code @Cacheable} with the starter, but without any filter: what the guarded
 * caches cost.
 */
final class GuardedCaches extends CacheableContender {

	private final Driver driver;

	private final double earlyRefresh;

	GuardedCaches(ProductTable table, DataSource dataSource, Driver driver, double earlyRefresh) {
		super(table, ProductApplication.start(new CachedProducts(table), dataSource, driver,
				"bloom-guard.cache.early-refresh=" + earlyRefresh));
		this.driver = driver;
		this.earlyRefresh = earlyRefresh;
	}

	@Override
	public String name() {
		return "guarded caches, no filter" + ((this.earlyRefresh > 0) ? ", early refresh" : "") + " ("
				+ this.driver.title() + ")";
	}

}
