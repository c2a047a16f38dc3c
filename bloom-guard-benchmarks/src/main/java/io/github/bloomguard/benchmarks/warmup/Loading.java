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

package io.github.bloomguard.benchmarks.warmup;

import io.github.bloomguard.benchmarks.server.LocalRedis;

/**
 * One way to go through all keys of a table. It has a Redis server of its own.
 */
public interface Loading extends AutoCloseable {

	/**
	 * Return the name in the table.
	 * @return the name
	 */
	String name();

	/**
	 * Do it once, from the first key on.
	 * @return the number of keys
	 */
	long run();

	/**
	 * Return the Redis server that is written.
	 * @return the server
	 */
	LocalRedis redis();

	/**
	 * Look whether the last run has done what it should.
	 * @throws IllegalStateException if it has not
	 */
	default void verify() {
	}

	@Override
	default void close() {
		redis().close();
	}

}
