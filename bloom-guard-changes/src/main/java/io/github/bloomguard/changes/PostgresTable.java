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
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.catchup.FeedSpecification;
import org.jspecify.annotations.Nullable;

/**
 * The table of a feed, as the catalog describes it.
 *
 * @param identity what the log has of the row that a change replaces
 * @param owned whether the user may publish it
 */
record PostgresTable(String name, Identity identity, boolean owned, List<KeyColumn> keys) {

	private static final String TABLE = """
			select c.oid::regclass::text, c.relreplident,
			 exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary),
			 pg_has_role(current_user, c.relowner, 'usage')
			  and (has_database_privilege(current_database(), 'create')),
			 c.oid
			from pg_class c where c.oid = to_regclass(?) and c.relkind in ('r', 'p')""";

	private static final String COLUMNS = """
			select a.attname, a.atttypid::bigint, format_type(a.atttypid, null), coalesce(b.typname, t.typname),
			 coalesce(b.typtype, t.typtype)
			from pg_attribute a join pg_type t on t.oid = a.atttypid
			left join pg_type b on b.oid = nullif(t.typbasetype, 0)
			where a.attrelid = ?::bigint::oid and a.attnum > 0 and not a.attisdropped order by a.attnum""";

	/**
	 * The types whose text is what keys are written as, or close to it.
	 */
	private static final Set<String> TYPES = Set.of("int2", "int4", "int8", "numeric", "uuid", "text", "varchar",
			"bpchar", "citext", "bool", "date");

	static PostgresTable read(Connection connection, FeedSpecification specification) throws SQLException {
		try (PreparedStatement query = connection.prepareStatement(TABLE)) {
			query.setString(1, specification.table());
			try (ResultSet row = query.executeQuery()) {
				if (!row.next()) {
					throw new InvalidGuardException(
							specification.property("table") + " is '" + specification.table()
									+ "', and there is no table of that name",
							"Write the table with its schema, such as public.product");
				}
				Identity identity = Identity.of(row.getString(2), row.getBoolean(3));
				return new PostgresTable(row.getString(1), identity, row.getBoolean(4),
						keys(columns(connection, row.getLong(5)), specification));
			}
		}
	}

	private static Map<String, KeyColumn> columns(Connection connection, long table) throws SQLException {
		Map<String, KeyColumn> columns = new LinkedHashMap<>();
		try (PreparedStatement query = connection.prepareStatement(COLUMNS)) {
			query.setLong(1, table);
			try (ResultSet rows = query.executeQuery()) {
				while (rows.next()) {
					boolean supported = TYPES.contains(rows.getString(4)) || "e".equals(rows.getString(5));
					columns.put(rows.getString(1), new KeyColumn(rows.getString(1), rows.getLong(2), rows.getString(3),
							supported ? rows.getString(4) : null));
				}
			}
		}
		return columns;
	}

	private static List<KeyColumn> keys(Map<String, KeyColumn> columns, FeedSpecification specification) {
		List<KeyColumn> keys = new ArrayList<>();
		for (String name : specification.keyColumns()) {
			KeyColumn column = columns.containsKey(name) ? columns.get(name)
					: columns.get(name.toLowerCase(Locale.ROOT));
			if (column == null) {
				throw new InvalidGuardException(
						specification.property("key-columns") + " has '" + name + "', which the table "
								+ specification.table() + " does not have",
						"Write some of its columns: " + String.join(", ", columns.keySet()));
			}
			if (column.type() == null) {
				throw new InvalidGuardException(
						specification.property("key-columns") + " has '" + name + "', which is of type "
								+ column.description(),
						"The change log can be followed for keys that are integers, numerics, UUIDs, texts, enums,"
								+ " booleans and dates; for others, set changes.enabled to false and use catch-up.query");
			}
			keys.add(column);
		}
		return keys;
	}

	/**
	 * Check that the table has a replica identity: PostgreSQL refuses each update and
	 * deletion in a published table without one.
	 */
	void checkIdentity(FeedSpecification specification) {
		if (this.identity == Identity.NONE) {
			throw new InvalidGuardException(
					specification.property("table") + " is '" + specification.table()
							+ "', which has no primary key and no other replica identity",
					"Run: alter table " + this.name + " replica identity full; or give it a primary key");
		}
	}

	/**
	 * One column of the key.
	 *
	 * @param type the name of its base type, {@code null} if such keys can't be followed
	 */
	record KeyColumn(String name, long oid, String description, @Nullable String type) {

		/**
		 * Return the value that JDBC gives for a text of the log, or another one that is
		 * the same key.
		 */
		Object value(String text) {
			if ("bool".equals(this.type)) {
				return text.equals("t");
			}
			return "bpchar".equals(this.type) ? text.stripTrailing() : text;
		}

	}

	enum Identity {

		SOME,

		FULL,

		NONE;

		static Identity of(String replicaIdentity, boolean primaryKey) {
			return switch (replicaIdentity) {
				case "f" -> FULL;
				case "i" -> SOME;
				case "d" -> primaryKey ? SOME : NONE;
				default -> NONE;
			};
		}

	}

}
