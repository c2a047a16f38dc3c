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
 * One way to read a product. It has a Redis server of its own, so that what the server
 * spends is spent on it alone.
 */
public interface Contender extends AutoCloseable {

	/**
	 * Return the name in the table.
	 * @return the name
	 */
	String name();

	/**
	 * Read a product.
	 * @param id its id
	 * @return the product, or {@code null} if there is none
	 */
	@Nullable Product find(long id);

	/**
	 * Read a product from a slow query, sharing the load with others if that can be done.
	 * @param id its id
	 * @return the product, or {@code null} if there is none
	 */
	@Nullable Product findShared(long id);

	/**
	 * Return the number of queries that this contender has sent to the database.
	 * @return the number since the start
	 */
	long queries();

	/**
	 * Return the Redis server of this contender.
	 * @return the server
	 */
	LocalRedis redis();

	@Override
	void close();

}
