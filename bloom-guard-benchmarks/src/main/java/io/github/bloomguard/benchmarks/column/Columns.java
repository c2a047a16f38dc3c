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

package io.github.bloomguard.benchmarks.column;

import java.util.List;

/**
 * All columns.
 */
public final class Columns {

	private static final Column OPERATIONS = new OperationsPerSecond();

	private static final Column P99 = new Latency("p99", 99);

	private static final Column REDIS_CPU = new RedisCpu();

	private static final Column ALLOCATION = new Allocation();

	/**
	 * All columns in the order of the table.
	 */
	public static final List<Column> ALL = List.of(OPERATIONS, new Latency("p50", 50), P99, new Latency("p99.9", 99.9),
			new DatabaseQueries(), new LoadsPerColdKey(), new RedisMemory(), REDIS_CPU, ALLOCATION);

	/**
	 * The columns by which the contenders are compared with each other.
	 */
	public static final List<Column> COMPARED = List.of(OPERATIONS, P99, REDIS_CPU, ALLOCATION);

	private Columns() {
	}

}
