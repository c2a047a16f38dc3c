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
 * The same {@code @Cacheable} with caches in the memory of the instance: what one in
 * front of Redis could save at most.
 */
final class CachesInMemory extends CacheableContender {

	CachesInMemory(ProductTable table, DataSource dataSource) {
		super(table, ProductApplication.start(new CachedProducts(table), dataSource, Driver.LETTUCE,
				"spring.cache.type=simple"));
	}

	@Override
	public String name() {
		return "caches in memory";
	}

}
