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

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.catchup.CatchUpSource;
import io.github.bloomguard.catchup.CatchUpSpecification;
import io.github.bloomguard.catchup.CheckpointedKey;
import io.github.bloomguard.feed.Checkpoint;
import io.github.bloomguard.filter.FilterChecks;
import org.jspecify.annotations.Nullable;

import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.namedparam.NamedParameterJdbcTemplate;

/**
 * Reads keys and checkpoints with SQL queries, never all at once. The last column is the
 * checkpoint, those before it are the key; a single column is both.
 */
public final class JdbcCatchUpSource implements CatchUpSource {

	private final CatchUpSpecification specification;

	private final DataSource dataSource;

	private final JdbcCursor cursor;

	private final DatabaseIdentity identity = new DatabaseIdentity();

	public JdbcCatchUpSource(CatchUpSpecification specification, DataSource dataSource, int fetchSize,
			RowSecurity security) {
		this.specification = specification;
		this.dataSource = dataSource;
		this.cursor = new JdbcCursor(specification.filter(), dataSource, fetchSize, security);
	}

	@Override
	public Checkpoint start() {
		List<Checkpoint> checkpoints = new JdbcTemplate(this.dataSource).query(this.specification.start(),
				(row, number) -> checkpoint(RowReader.of(row).values(row)));
		if (checkpoints.size() != 1) {
			throw new IllegalStateException("The query '" + this.specification.start() + "' gave " + checkpoints.size()
					+ " rows; let it give one, the highest checkpoint");
		}
		return checkpoints.get(0);
	}

	/**
	 * Run both queries, for one row at most.
	 * @throws InvalidGuardException if the database refuses one, whatever is tried again
	 * @throws DataAccessException if it does not answer
	 */
	void check() {
		FilterChecks checks = new FilterChecks(filter());
		Checkpoint start = run(checks.property("catch-up.start"), this::start);
		JdbcTemplate template = new JdbcTemplate(this.dataSource);
		template.setMaxRows(1);
		run(checks.property("catch-up.query"), () -> new NamedParameterJdbcTemplate(template)
			.query(this.specification.query(), Map.of("mark", start.value()), (row, number) -> number));
	}

	private static <T> T run(String property, Supplier<T> query) {
		try {
			return query.get();
		}
		catch (DataAccessException ex) {
			if (ex.getCause() instanceof SQLException failure) {
				RefusedQueryException.throwIfRefused(property, failure);
			}
			throw ex;
		}
	}

	String filter() {
		return this.specification.filter();
	}

	@Override
	public String database() {
		return this.identity.read(this.dataSource);
	}

	@Override
	public Stream<CheckpointedKey> keysAfter(Checkpoint checkpoint) {
		return this.cursor.stream((template) -> new NamedParameterJdbcTemplate(template)
			.queryForStream(this.specification.query(), Map.of("mark", checkpoint.value()), this::markedKey));
	}

	private CheckpointedKey markedKey(ResultSet row, int number) throws SQLException {
		List<@Nullable Object> values = RowReader.of(row).values(row);
		return new CheckpointedKey(RowReader.key(values.subList(0, Math.max(values.size() - 1, 1))),
				checkpoint(values));
	}

	private static Checkpoint checkpoint(List<? extends @Nullable Object> values) {
		Object value = values.get(values.size() - 1);
		if (value == null) {
			throw new IllegalStateException(
					"A checkpoint is null; use a column that is not, and coalesce for an empty table");
		}
		return new Checkpoint(value);
	}

}
