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

package io.github.bloomguard.changes;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.stream.Collectors;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.catchup.FeedSpecification;
import org.jspecify.annotations.Nullable;

/**
 * What the log has of a table: all rows that come into its parts after those were
 * published.
 * <p>
 * Each part is published by its own name, although PostgreSQL publishes partitions with
 * their table, so that the publication tells which have been there. One that is attached
 * later may bring rows with it that the log does not have. It is published, too, if it is
 * still empty when it is first seen.
 */
final class PostgresPublication {

	/**
	 * Begins a statement, with table and publication as its parameters.
	 */
	static final String MISSING = PostgresTable.TREE + """
			, missing(oid) as (select c.oid from tree join pg_class c using (oid)
			  where (c.relkind <> 'p' or c.oid = (select oid from root))
			  and not exists (select from pg_publication_rel r join pg_publication p on p.oid = r.prpubid
			   where r.prrelid = c.oid and p.pubname = ? and p.pubinsert and p.pubupdate and p.pubdelete
			   and coalesce(to_jsonb(r) ->> 'prqual', to_jsonb(r) ->> 'prattrs') is null))
			""";

	/**
	 * Continues it: whether all rows of the table of that name are in the log, and it is
	 * not another one that was renamed into its place.
	 */
	static final String COMPLETE = "(select oid from root) is not null and not exists (select from missing)";

	/**
	 * Continues it: whether rows are missing in the log.
	 */
	static final String USELESS = """
			(select oid from root) is null
			 or exists (select from missing where oid = (select oid from root) or pg_relation_size(oid) > 0)""";

	private static final String EMPTY = MISSING
			+ "select string_agg('only ' || oid::regclass, ', ' order by oid) from missing where pg_relation_size(oid) = 0";

	private static final String LOCKED = "55P03";

	private final FeedSpecification specification;

	private final String name;

	PostgresPublication(FeedSpecification specification, String name) {
		this.specification = specification;
		this.name = name;
	}

	/**
	 * Check that the user may publish the table, if that is needed.
	 * @param before what to run before
	 */
	void check(Connection connection, PostgresTable table, String before) throws SQLException {
		if (!isComplete(connection) && !table.isOwned()) {
			throw refusal(table, before + creation(table));
		}
	}

	private InvalidGuardException refusal(PostgresTable table, String statement) {
		return new InvalidGuardException(this.specification.property("enabled")
				+ " is true, but the user may not publish the table " + table.name(),
				"Let its owner run: " + statement + ";");
	}

	private boolean isComplete(Connection connection) throws SQLException {
		return Boolean.TRUE.equals(query(connection, MISSING + "select " + COMPLETE, Boolean.class));
	}

	/**
	 * Publish all parts, what is missing in the log or not.
	 */
	void complete(Connection connection, PostgresTable table) throws SQLException {
		if (!isComplete(connection)) {
			PostgresServer.execute(connection, drop(this.name) + "; " + creation(table));
		}
	}

	/**
	 * Publish a partition that was attached and is empty, unless another session writes
	 * into it.
	 */
	void extend(Connection connection) throws SQLException {
		PostgresTable table = PostgresTable.read(connection, this.specification);
		table.check(this.specification);
		String empty = query(connection, EMPTY, String.class);
		if (empty != null) {
			String statement = "alter publication " + this.name + " add table " + empty;
			if (!table.isOwned()) {
				throw refusal(table, statement);
			}
			extend(connection, empty, statement);
		}
	}

	/**
	 * The log has a row of an heir only if it was published before.
	 */
	private void extend(Connection connection, String empty, String statement) throws SQLException {
		connection.setAutoCommit(false);
		try {
			PostgresServer.execute(connection,
					"set local lock_timeout = '100ms'; lock table " + empty + " in share mode");
			if (empty.equals(query(connection, EMPTY, String.class))) {
				PostgresServer.execute(connection, statement);
			}
			connection.commit();
		}
		catch (SQLException ex) {
			connection.rollback();
			if (!LOCKED.equals(ex.getSQLState())) {
				throw ex;
			}
		}
		connection.setAutoCommit(true);
	}

	private String creation(PostgresTable table) {
		return "create publication " + this.name + " for table "
				+ table.parts().stream().map(PostgresTable.Part::name).collect(Collectors.joining(", "))
				+ " with (publish = 'insert, update, delete', publish_via_partition_root = true)";
	}

	static String drop(String name) {
		return "drop publication if exists " + name;
	}

	private <T> @Nullable T query(Connection connection, String sql, Class<T> type) throws SQLException {
		try (PreparedStatement query = connection.prepareStatement(sql)) {
			query.setString(1, this.specification.table());
			query.setString(2, this.name);
			try (ResultSet row = query.executeQuery()) {
				row.next();
				return row.getObject(1, type);
			}
		}
	}

}
