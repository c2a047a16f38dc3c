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

import io.github.bloomguard.benchmarks.server.LocalRedis;

/**
 * A contender that needs no application: a table and a Redis server.
 */
abstract class TableContender implements Contender {

	private final LocalRedis redis = LocalRedis.start();

	private final ProductTable table;

	TableContender(ProductTable table) {
		this.table = table;
	}

	final ProductTable table() {
		return this.table;
	}

	@Override
	public final long queries() {
		return this.table.queries();
	}

	@Override
	public final LocalRedis redis() {
		return this.redis;
	}

	@Override
	public void close() {
		this.redis.close();
	}

}
