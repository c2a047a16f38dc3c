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
 * Spring's {@code @Cacheable} on the auto-configured cache manager, as the application
 * has it before the starter is added.
 */
final class PlainCacheable extends CacheableContender {

	private final Driver driver;

	PlainCacheable(ProductTable table, DataSource dataSource, Driver driver) {
		super(table,
				ProductApplication.start(new CachedProducts(table), dataSource, driver, "bloom-guard.enabled=false"));
		this.driver = driver;
	}

	@Override
	public String name() {
		return "@Cacheable, as before the starter (" + this.driver.title() + ")";
	}

}
