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

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.backend.FilterBackend;
import io.github.bloomguard.benchmarks.server.LocalPostgres;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.guard.BloomGuardBuilder;
import io.github.bloomguard.guard.RunningBloomGuard;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * An instance with a filter of the rows of a table, which lacks those with negative ids.
 */
public final class FloodedInstance implements AutoCloseable {

	private static final String NAME = "products";

	private final RunningBloomGuard running;

	private final BloomGuard guard;

	private final JdbcTemplate template;

	private final SilentSource source;

	private final LongAdder calls = new LongAdder();

	private FloodedInstance(RunningBloomGuard running, JdbcTemplate template, SilentSource source) {
		this.running = running;
		this.guard = running.guard();
		this.template = template;
		this.source = source;
	}

	/**
	 * Create the table.
	 * @param postgres where it will be
	 * @param rows how many rows the filter knows, with the ids from 1 on
	 * @param hidden how many it does not, with the ids from -1 down
	 */
	public static void createTable(LocalPostgres postgres, int rows, int hidden) {
		postgres.template().execute("drop table if exists product");
		postgres.template().execute("create table product (id bigint primary key)");
		postgres.template().update("insert into product select generate_series(1, ?)", rows);
		postgres.template().update("insert into product select -generate_series(1, ?)", hidden);
		postgres.template().execute("vacuum analyze product");
	}

	/**
	 * Start an instance, and wait until it answers.
	 * @param postgres where the table is
	 * @param backend where the filter is
	 * @param mode how absent answers are verified
	 * @param rows how many rows it knows
	 * @return the instance
	 */
	public static FloodedInstance start(LocalPostgres postgres, FilterBackend backend, Mode mode, int rows) {
		SilentSource source = new SilentSource(NAME, postgres.dataSource());
		BloomGuardBuilder builder = new BloomGuardBuilder(backend).application("flood");
		builder.filter(NAME, rows)
			.source(source)
			.settle(Duration.ZERO)
			.longestTransaction(Duration.ofMillis(100))
			.emptyTtl(Duration.ZERO)
			.verification(mode, 10, 0);
		RunningBloomGuard running = builder.start();
		running.loaded().join();
		while (Objects.requireNonNull(running.filters().find(NAME)).filter().state() != FilterState.READY) {
			LockSupport.parkNanos(1_000_000);
		}
		return new FloodedInstance(running, postgres.template(), source);
	}

	/**
	 * Call a guarded method.
	 * @param id the key
	 * @return the row, {@code null} if the call was told that there is none
	 */
	@SuppressWarnings("NullAway") // what is loaded may be null, which Loader says by its
									// type
	public @Nullable Long find(long id) {
		return this.guard.get(NAME, id, () -> query(id));
	}

	private @Nullable Long query(long id) {
		this.calls.increment();
		List<Long> found = this.template.queryForList("select id from product where id = ?", Long.class, id);
		return found.isEmpty() ? null : found.get(0);
	}

	/**
	 * Return how many questions the source was asked.
	 * @return for one key or for many
	 */
	public long questions() {
		return this.source.questions();
	}

	/**
	 * Return how many keys the source was asked for.
	 * @return each as often as it was asked for
	 */
	public long askedKeys() {
		return this.source.askedKeys();
	}

	/**
	 * Return how many calls have reached the database.
	 * @return the number of queries
	 */
	public long calls() {
		return this.calls.sum();
	}

	@Override
	public void close() {
		this.running.close();
	}

}
