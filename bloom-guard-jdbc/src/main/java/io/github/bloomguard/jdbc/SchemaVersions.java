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

package io.github.bloomguard.jdbc;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.github.bloomguard.logging.ThrottledLog;
import org.jspecify.annotations.Nullable;

/**
 * Tells what Flyway and Liquibase have last done to the schema of a {@link DataSource},
 * which all filters of it ask once a second.
 * <p>
 * Concurrency: the latest question is put in its place before it is asked, so a caller
 * that comes soon after it waits for its answer. Searches may overlap, and the last one
 * counts.
 */
final class SchemaVersions {

	/**
	 * After how long tables are looked for again where there was none.
	 */
	private static final Duration SEARCH = Duration.ofSeconds(10);

	/**
	 * For how long an answer serves others: filters look at the same time, or half a
	 * second later.
	 */
	private static final Duration SHARED = Duration.ofMillis(250);

	private static final Map<DataSource, SchemaVersions> all = Collections.synchronizedMap(new WeakHashMap<>());

	private final ThrottledLog unread = new ThrottledLog(SchemaVersions.class);

	/**
	 * What was found by the last search, {@code null} before the first.
	 */
	private volatile @Nullable Histories histories;

	private final AtomicReference<@Nullable Question> latest = new AtomicReference<>();

	/**
	 * Return the versions that all sources of a {@link DataSource} share.
	 * @param dataSource {@code null} if it is not known, and nothing is shared
	 */
	static SchemaVersions of(@Nullable DataSource dataSource) {
		return (dataSource != null) ? all.computeIfAbsent(dataSource, (key) -> new SchemaVersions())
				: new SchemaVersions();
	}

	/**
	 * Look for the tables of migrations, and return what they say.
	 */
	String search(Connection connection) throws SQLException {
		long now = System.nanoTime();
		List<String> read = new ArrayList<>();
		List<String> unread = new ArrayList<>();
		List<String> parts = new ArrayList<>();
		for (String query : SchemaHistory.queries(connection, DatabaseIdentity.schema(connection))) {
			List<String> version = DatabaseIdentity.row(connection, query);
			if (version.isEmpty()) {
				this.unread.warn("Rows that migrations insert may be missing until they are verified: '" + query
						+ "' failed. Let the user of the database read it, unless it belongs to another application",
						null);
			}
			(version.isEmpty() ? unread : read).add(query);
			parts.addAll(version);
		}
		this.histories = new Histories(read, unread, System.nanoTime());
		// a filter that has seen a version must not be told an older one
		this.latest.set(new Question(now, CompletableFuture.completedFuture(parts.toString())));
		return parts.toString();
	}

	/**
	 * Return what the tables say, without a question if there was no table when they were
	 * last looked for, which was not long ago, or if another filter has just asked.
	 * @param asking asks, by {@link #again}
	 */
	String latest(Supplier<String> asking) {
		Histories known = this.histories;
		if (known != null && known.read().isEmpty() && !known.areDue()) {
			return List.of().toString();
		}
		long now = System.nanoTime();
		Question former = this.latest.get();
		if (former != null && now - former.askedAt() < SHARED.toNanos()) {
			return former.answer().join();
		}
		Question own = new Question(now, new CompletableFuture<>());
		if (!this.latest.compareAndSet(former, own)) {
			return latest(asking);
		}
		try {
			String answer = asking.get();
			own.answer().complete(answer);
			return answer;
		}
		catch (Throwable ex) {
			own.answer().completeExceptionally(ex);
			throw ex;
		}
	}

	/**
	 * Return the same as {@link #search}, cheaply enough to be asked once a second:
	 * tables that are known are not looked for again, and one that can't be read is left
	 * alone.
	 */
	String again(Connection connection) throws SQLException {
		Histories known = this.histories;
		if (known == null) {
			return search(connection);
		}
		if (known.read().isEmpty() && known.areDue()) {
			List<String> found = SchemaHistory.queries(connection, DatabaseIdentity.schema(connection));
			if (!known.unread().containsAll(found)) {
				return search(connection);
			}
			this.histories = new Histories(known.read(), known.unread(), System.nanoTime());
		}
		List<String> parts = new ArrayList<>();
		for (String query : known.read()) {
			parts.addAll(DatabaseIdentity.row(connection, query));
		}
		return parts.toString();
	}

	/**
	 * A question of some filter, which others that come soon after it share.
	 *
	 * @param askedAt when, in the terms of {@link System#nanoTime()}
	 */
	private record Question(long askedAt, CompletableFuture<String> answer) {

	}

	/**
	 * Queries of tables of migrations.
	 */
	private record Histories(List<String> read, List<String> unread, long foundAt) {

		/**
		 * Return whether tables are to be looked for again.
		 */
		boolean areDue() {
			return System.nanoTime() - this.foundAt >= SEARCH.toNanos();
		}

	}

}
