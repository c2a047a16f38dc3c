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

import org.springframework.util.StringUtils;

/**
 * The table of a feed, as the catalog describes it.
 *
 * @param parts the tables with its rows: itself, its partitions, and what inherits from
 * it
 * @param unique whether no two rows have the same key
 */
record PostgresTable(long oid, List<Part> parts, boolean unique, List<KeyColumn> keys) {

	/**
	 * Begins a statement, with the name of a table as its parameter: that table and all
	 * that are attached to it, at any depth.
	 */
	static final String TREE = """
			with recursive root(oid) as (select to_regclass(?)::oid),
			 tree(oid) as (select oid from root
			  union select i.inhrelid from pg_inherits i join tree on i.inhparent = tree.oid)
			""";

	/**
	 * Continues it, with names of columns as its parameter, or null for all of them: what
	 * the keys of rows depend on beside the rows themselves. A part that was never
	 * written anew may come and go.
	 */
	static final String FINGERPRINT = """
			, fingerprint(hash) as (select hashtextextended(concat_ws('|', (select oid from root),
			  (select string_agg(c.oid || ':' || c.relfilenode, ',' order by c.oid) from tree join pg_class c using (oid)
			   where c.relfilenode not in (0, c.oid)),
			  (select string_agg(concat_ws(':', a.attname, a.attnum, a.atttypid, a.attcollation, a.attgenerated,
			    t.typbasetype, (select string_agg(e.oid || e.enumlabel, ',' order by e.oid) from pg_enum e
			     where e.enumtypid in (t.oid, t.typbasetype))), ',' order by a.attnum)
			   from key a join pg_type t on t.oid = a.atttypid),
			  (select string_agg(i.indexrelid::text, ',' order by i.indexrelid) from pg_index i
			   where i.indrelid = (select oid from root) and i.indisunique and i.indisvalid
			   and i.indpred is null and i.indexprs is null
			   and (i.indkey::int2[])[0:i.indnkeyatts - 1] <@ array(select a.attnum from key a))), 0)),
			 key as (select a.* from pg_attribute a where a.attrelid = (select oid from root)
			  and a.attnum > 0 and not a.attisdropped and coalesce(a.attname = any(?), true))
			""";

	private static final String PARTS = TREE + """
			select c.oid, c.oid::regclass::text, c.relreplident,
			 exists (select from pg_index i where i.indrelid = c.oid and i.indisprimary),
			 pg_has_role(current_user, c.relowner, 'usage') and has_database_privilege(current_database(), 'create'),
			 c.relkind in ('r', 'p') and c.relpersistence = 'p'
			from root join pg_class r on r.oid = root.oid and r.relkind in ('r', 'p'), tree join pg_class c using (oid)
			where c.relkind <> 'p' or c.oid = r.oid order by c.oid <> r.oid, 2""";

	/**
	 * Heirs have no index in common with their table.
	 */
	private static final String UNIQUE = """
			select exists (select from pg_index i where i.indrelid = c.oid and i.indisunique and i.indisvalid
			  and i.indpred is null and i.indexprs is null
			  and (select bool_and(a.attname = any(?)) from pg_attribute a
			   where a.attrelid = c.oid and a.attnum = any((i.indkey::int2[])[0:i.indnkeyatts - 1])))
			 and (c.relkind = 'p' or not exists (select from pg_inherits h where h.inhparent = c.oid))
			from pg_class c where c.oid = ?::bigint::oid""";

	private static final String COLUMNS = """
			select a.attname, a.atttypid::bigint, format_type(a.atttypid, null), coalesce(b.typname, t.typname),
			 coalesce(b.typtype, t.typtype) = 'e', a.attgenerated <> ''
			from pg_attribute a join pg_type t on t.oid = a.atttypid
			left join pg_type b on b.oid = nullif(t.typbasetype, 0)
			where a.attrelid = ?::bigint::oid and a.attnum > 0 and not a.attisdropped order by a.attnum""";

	/**
	 * The types whose text is what keys are written as, or close to it.
	 */
	private static final Set<String> TYPES = Set.of("int2", "int4", "int8", "numeric", "uuid", "text", "varchar",
			"bpchar", "citext", "bool", "date");

	static PostgresTable read(Connection connection, FeedSpecification specification) throws SQLException {
		List<Part> parts = new ArrayList<>();
		long oid = 0;
		try (PreparedStatement query = connection.prepareStatement(PARTS)) {
			query.setString(1, specification.table());
			try (ResultSet rows = query.executeQuery()) {
				while (rows.next()) {
					oid = parts.isEmpty() ? rows.getLong(1) : oid;
					parts.add(new Part(rows.getString(2), Identity.of(rows.getString(3), rows.getBoolean(4)),
							rows.getBoolean(5), rows.getBoolean(6)));
				}
			}
		}
		if (parts.isEmpty()) {
			throw new InvalidGuardException(
					specification.property("table") + " is '" + specification.table()
							+ "', and there is no table of that name",
					"Write the table with its schema, such as public.product");
		}
		List<KeyColumn> keys = keys(columns(connection, oid), specification);
		return new PostgresTable(oid, parts, isUnique(connection, oid, keys), keys);
	}

	private static boolean isUnique(Connection connection, long oid, List<KeyColumn> keys) throws SQLException {
		try (PreparedStatement query = connection.prepareStatement(UNIQUE)) {
			query.setArray(1, connection.createArrayOf("name", keys.stream().map(KeyColumn::name).toArray()));
			query.setLong(2, oid);
			try (ResultSet row = query.executeQuery()) {
				return row.next() && row.getBoolean(1);
			}
		}
	}

	private static Map<String, KeyColumn> columns(Connection connection, long table) throws SQLException {
		Map<String, KeyColumn> columns = new LinkedHashMap<>();
		try (PreparedStatement query = connection.prepareStatement(COLUMNS)) {
			query.setLong(1, table);
			try (ResultSet rows = query.executeQuery()) {
				while (rows.next()) {
					boolean generated = rows.getBoolean(6);
					boolean supported = !generated && (TYPES.contains(rows.getString(4)) || rows.getBoolean(5));
					columns.put(rows.getString(1),
							new KeyColumn(rows.getString(1), rows.getLong(2),
									(generated ? "a generated column of type " : "of type ") + rows.getString(3),
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
						specification.property("key-columns") + " has '" + name + "', which is " + column.description(),
						"The change log can be followed for keys that are integers, numerics, UUIDs, texts, enums,"
								+ " booleans and dates; for others, set changes.enabled to false and use catch-up.query");
			}
			keys.add(column);
		}
		return keys;
	}

	/**
	 * Check that the log has all rows, and that each part has a replica identity:
	 * PostgreSQL refuses each update and deletion in a published table without one.
	 */
	void check(FeedSpecification specification) {
		String table = specification.property("table") + " is '" + specification.table() + "', ";
		for (Part part : this.parts) {
			if (!part.logged()) {
				throw new InvalidGuardException(table + "and the log does not have the rows of " + part.name(),
						"Run: alter table " + part.name() + " set logged; if it is a foreign table, set "
								+ specification.property("enabled") + " to false and use catch-up.query");
			}
			if (part.identity() == Identity.NONE) {
				String which = part.equals(this.parts.get(0)) ? "which" : "whose part " + part.name();
				throw new InvalidGuardException(table + which + " has no primary key and no other replica identity",
						"Run: alter table " + part.name() + " replica identity full; or give it a primary key");
			}
		}
	}

	String name() {
		return this.parts.get(0).name();
	}

	boolean isOwned() {
		return this.parts.stream().allMatch(Part::owned);
	}

	/**
	 * A table with rows.
	 *
	 * @param identity what the log has of the row that a change replaces
	 * @param owned whether the user may publish it
	 * @param logged whether its rows are in the log of the server
	 */
	record Part(String name, Identity identity, boolean owned, boolean logged) {

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
			return "bpchar".equals(this.type) ? StringUtils.trimTrailingCharacter(text, ' ') : text;
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
