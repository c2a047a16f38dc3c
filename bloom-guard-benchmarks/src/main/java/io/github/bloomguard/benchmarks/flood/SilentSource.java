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

package io.github.bloomguard.benchmarks.flood;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.bloomguard.KeyEquality;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.jdbc.JdbcKeySource;
import org.jspecify.annotations.Nullable;

/**
 * Loads the rows with positive ids, and looks all up, as if what has inserted the others
 * had told nobody. Counts the questions.
 */
final class SilentSource implements KeySource {

	private final JdbcKeySource loaded;

	private final JdbcKeySource lookedUp;

	private final LongAdder questions = new LongAdder();

	private final LongAdder keys = new LongAdder();

	SilentSource(String filter, DataSource dataSource) {
		this.loaded = new JdbcKeySource(filter, dataSource, "select id from product where id > 0", null, 10_000);
		this.lookedUp = new JdbcKeySource(filter, dataSource, "select id from product", null, 10_000);
	}

	@Override
	public String filter() {
		return this.loaded.filter();
	}

	@Override
	public Stream<?> keys() {
		return this.loaded.keys();
	}

	@Override
	public String database() {
		this.lookedUp.database();
		return this.loaded.database();
	}

	@Override
	public Optional<KeyEquality> equality() {
		return this.loaded.equality();
	}

	@Override
	public Optional<Boolean> contains(List<? extends @Nullable Object> key) {
		return containsEach(List.of(key)).get(0);
	}

	@Override
	public List<Optional<Boolean>> containsEach(List<? extends List<? extends @Nullable Object>> keys) {
		this.questions.increment();
		this.keys.add(keys.size());
		return this.lookedUp.containsEach(keys);
	}

	long questions() {
		return this.questions.sum();
	}

	/**
	 * Return how many keys the questions were about.
	 */
	long askedKeys() {
		return this.keys.sum();
	}

}
