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

import java.util.List;

/**
 * All that is compared.
 */
public final class Loadings implements AutoCloseable {

	private final Loading cursor;

	private final Loading add;

	private final Loading guard;

	private final Loading entity;

	/**
	 * Start what is compared.
	 * @param table the keys
	 * @param expected how many keys there will be
	 * @param added how many of them {@code RBloomFilter.add} is measured with
	 * @param properties more properties of the guard's warm-up, as {@code name=value}
	 */
	public Loadings(KeyTable table, long expected, long added, List<String> properties) {
		FilterSize size = new FilterSize(expected, 0.001);
		this.cursor = new CursorOnly(table);
		this.add = new RedissonAdd(table, size, added);
		this.guard = GuardWarmUp.ofQuery(table, size, properties);
		this.entity = GuardWarmUp.ofEntity(table, size, properties);
	}

	/**
	 * Return all.
	 * @return all in the order of the table
	 */
	public List<Loading> all() {
		return List.of(this.cursor, this.add, this.guard, this.entity);
	}

	/**
	 * Return what nothing can be faster than.
	 * @return reading only
	 */
	public Loading cursor() {
		return this.cursor;
	}

	/**
	 * Return what is to be beaten.
	 * @return Redisson's own way
	 */
	public Loading add() {
		return this.add;
	}

	@Override
	public void close() {
		all().forEach(Loading::close);
	}

}
