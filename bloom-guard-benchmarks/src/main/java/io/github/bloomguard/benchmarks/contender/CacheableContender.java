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

import org.jspecify.annotations.Nullable;

import io.github.bloomguard.benchmarks.server.LocalRedis;

/**
 * An auto-configured application whose products are cached by Spring.
 */
abstract class CacheableContender implements Contender {

	private final ProductTable table;

	private final ProductApplication application;

	private final Products products;

	CacheableContender(ProductTable table, ProductApplication application) {
		this.table = table;
		this.application = application;
		this.products = application.products();
	}

	final ProductApplication application() {
		return this.application;
	}

	@Override
	public final @Nullable Product find(long id) {
		return this.products.find(id);
	}

	@Override
	public final @Nullable Product findShared(long id) {
		return this.products.findShared(id);
	}

	@Override
	public final long queries() {
		return this.table.queries();
	}

	@Override
	public final LocalRedis redis() {
		return this.application.redis();
	}

	@Override
	public final void close() {
		this.application.close();
	}

}
