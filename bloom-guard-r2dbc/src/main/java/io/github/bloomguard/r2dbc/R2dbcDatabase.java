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

package io.github.bloomguard.r2dbc;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.IntStream;

import io.github.bloomguard.jdbc.DatabaseIdentity;
import io.github.bloomguard.jdbc.KeyColumn;
import io.github.bloomguard.jdbc.QueryColumns;
import io.github.bloomguard.jdbc.RowSecurity;
import io.github.bloomguard.jdbc.SchemaHistory;
import io.github.bloomguard.jdbc.SqlClient;
import io.r2dbc.spi.Connection;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.R2dbcException;
import io.r2dbc.spi.Readable;
import io.r2dbc.spi.Row;
import io.r2dbc.spi.Statement;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Asks a database of PostgreSQL, and blocks the calling thread for a limited time. That
 * must not be a thread of Reactor.
 */
final class R2dbcDatabase implements SqlClient {

	static final String POSTGRESQL = "PostgreSQL";

	static final String QUOTE = "\"";

	private static final Duration LONGEST = Duration.ofSeconds(5);

	private static final Duration LONGEST_LOOK_UP = Duration.ofSeconds(1);

	/**
	 * A user who may not see the identifier of the server may see its address.
	 */
	private static final String ADDRESS = "select inet_server_addr()::text, inet_server_port()::text";

	private static final String PLACE = "select current_database()::text, current_schema()::text";

	private static final String HISTORIES = "select table_schema::text, table_name::text"
			+ " from information_schema.tables where table_name = any($1)";

	private final ConnectionFactory connections;

	R2dbcDatabase(ConnectionFactory connections) {
		this.connections = connections;
	}

	@Override
	public String product() {
		return POSTGRESQL;
	}

	@Override
	public String quote() {
		return QUOTE;
	}

	@Override
	public List<int[]> pairs(String query) throws SQLException {
		return rows(query, List.of(), (row) -> new int[] { number(row, 0), number(row, 1) });
	}

	private static int number(Readable row, int index) {
		return Objects.requireNonNull(row.get(index, Integer.class));
	}

	@Override
	public void throwIfDown(SQLException failure) throws SQLException {
		if (DatabaseIdentity.hasFailed(failure)) {
			throw failure;
		}
	}

	/**
	 * Return what tells the database apart.
	 */
	String identity() throws SQLException {
		String server;
		try {
			server = texts(DatabaseIdentity.POSTGRESQL);
		}
		catch (SQLException ex) {
			throwIfDown(ex);
			server = texts(ADDRESS);
		}
		return server + texts(PLACE);
	}

	String schemaVersion() throws SQLException {
		Object names = SchemaHistory.names().toArray(String[]::new);
		List<SchemaHistory.Table> tables = rows(HISTORIES, List.of(names),
				(row) -> new SchemaHistory.Table(row.get(0, String.class),
						Objects.requireNonNull(row.get(1, String.class))));
		StringBuilder version = new StringBuilder();
		for (String query : SchemaHistory.queries(tables, schema(), QUOTE)) {
			version.append(texts(query));
		}
		return version.toString();
	}

	private @Nullable String schema() throws SQLException {
		return rows("select current_schema()::text", List.of(), (row) -> Optional.ofNullable(row.get(0, String.class)))
			.get(0)
			.orElse(null);
	}

	private String texts(String query) throws SQLException {
		return rows(query, List.of(), R2dbcDatabase::text).toString();
	}

	private static String text(Row row) {
		return IntStream.range(0, row.getMetadata().getColumnMetadatas().size())
			.mapToObj((i) -> String.valueOf(row.get(i)))
			.toList()
			.toString();
	}

	/**
	 * Ask for the columns of a query, without reading its rows: of no rows, a driver
	 * tells no columns.
	 */
	QueryColumns columns(String query) throws SQLException {
		String rows = QueryColumns.nestable(query);
		List<List<KeyColumn>> columns = rows(
				"select q.* from (select 1) x left join " + QueryColumns.nested(rows) + " on 1 = 0", List.of(),
				(row) -> PostgresColumns.of(row.getMetadata()));
		return new QueryColumns(rows, columns.get(0));
	}

	boolean hasRow(String query, List<Object> values) throws SQLException {
		return !rows(query, values, (row) -> true, LONGEST_LOOK_UP).isEmpty();
	}

	<T> List<T> rows(String query, List<Object> values, Function<Row, T> mapper) throws SQLException {
		return rows(query, values, mapper, LONGEST);
	}

	private <T> List<T> rows(String query, List<Object> values, Function<Row, T> mapper, Duration longest)
			throws SQLException {
		try {
			return Objects.requireNonNull(
					Flux.usingWhen(this.connections.create(), (connection) -> run(connection, query, values, 0, mapper),
							Connection::close)
						.collectList()
						.block(longest));
		}
		catch (R2dbcException ex) {
			throw asSql(ex);
		}
	}

	/**
	 * Read rows in a transaction that is not read-only: a replica may lag behind.
	 */
	<T> Flux<T> stream(String query, int fetchSize, RowSecurity security, Function<Row, T> mapper) {
		return Flux.usingWhen(Mono.from(this.connections.create()).timeout(LONGEST), (connection) -> {
			Flux<?> begun = Flux.from(connection.beginTransaction())
				.thenMany(Flux.fromStream(security.statement(POSTGRESQL).stream())
					.concatMap((statement) -> run(connection, statement, List.of(), 0, (row) -> row)));
			return begun.thenMany(run(connection, query, List.of(), fetchSize, mapper));
		}, R2dbcDatabase::close).onErrorMap(R2dbcException.class, R2dbcDatabase::asSql);
	}

	private static Publisher<Void> close(Connection connection) {
		return Mono.from(connection.rollbackTransaction())
			.onErrorComplete()
			.then(Mono.defer(() -> Mono.from(connection.close())));
	}

	private static <T> Flux<T> run(Connection connection, String query, List<Object> values, int fetchSize,
			Function<Row, T> mapper) {
		return Flux.defer(() -> {
			Statement statement = connection.createStatement(query).fetchSize(fetchSize);
			for (int i = 0; i < values.size(); i++) {
				statement.bind(i, values.get(i));
			}
			return Flux.from(statement.execute())
				.concatMap((result) -> result.map((row, columns) -> mapper.apply(row)));
		});
	}

	static SQLException asSql(R2dbcException failure) {
		return new SQLException(failure.getMessage(), failure.getSqlState(), failure.getErrorCode(), failure);
	}

}
