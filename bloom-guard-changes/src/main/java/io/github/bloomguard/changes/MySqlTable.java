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

import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.catchup.FeedSpecification;
import org.jspecify.annotations.Nullable;

/**
 * The table of a feed. Its columns are found by name in each part of the log, which has
 * the names of the time when the rows were written.
 *
 * @param distinct whether names of tables are told apart by their case
 * @param unique whether no two rows have the same key
 */
record MySqlTable(String schema, String name, boolean distinct, List<String> keys, boolean unique) {

	private static final String TABLE = """
			select table_schema, table_name, coalesce(engine, table_type) from information_schema.tables
			where table_schema = coalesce(?, database()) and table_name = ?""";

	private static final String COLUMNS = """
			select column_name, data_type, column_type, coalesce(character_set_name, ''), extra
			from information_schema.columns where table_schema = ? and table_name = ? order by ordinal_position""";

	private static final String UNIQUE = """
			select index_name, lower(column_name) from information_schema.statistics
			where table_schema = ? and table_name = ? and non_unique = 0""";

	/**
	 * Constraints by which a change of another table changes the key: the log does not
	 * have that.
	 */
	private static final String CASCADES = """
			select k.constraint_name from information_schema.key_column_usage k
			join information_schema.referential_constraints r
			 on r.constraint_schema = k.constraint_schema and r.constraint_name = k.constraint_name
			 and r.table_name = k.table_name
			where k.table_schema = ? and k.table_name = ? and k.column_name = ?
			and (r.update_rule in ('CASCADE', 'SET NULL') or r.delete_rule = 'SET NULL')""";

	/**
	 * The engines whose rows are visible only after they have been written to the log.
	 */
	private static final Set<String> ENGINES = Set.of("innodb", "rocksdb");

	private static final Set<String> TYPES = Set.of("tinyint", "smallint", "mediumint", "int", "bigint", "decimal",
			"char", "varchar", "tinytext", "text", "mediumtext", "longtext", "binary", "varbinary", "tinyblob", "blob",
			"mediumblob", "longblob", "enum", "date", "year");

	private static final Pattern NAME = Pattern.compile("`((?:[^`]|``)+)`.*");

	private static final Pattern CHARACTERS = Pattern.compile("(ENGINE|CHARSET|COLLATE)=\\w+");

	/**
	 * Return a hash of what the keys of rows depend on beside the rows themselves: the
	 * columns of the key, or all that may decide, with their places, unique indexes,
	 * foreign keys, and how the table is stored. Other columns, indexes and parts may
	 * come and go.
	 */
	static String fingerprint(Connection connection, FeedSpecification specification) throws SQLException {
		String quoted = Stream.of(names(specification.table()))
			.map((name) -> "`" + name + "`")
			.collect(Collectors.joining("."));
		try (Statement statement = connection.createStatement();
				ResultSet row = statement.executeQuery("show create table " + quoted)) {
			row.next();
			Set<String> keys = names(specification.keyColumns());
			return fingerprint(row.getString(2), (column) -> specification.conditional() || keys.contains(column));
		}
	}

	private static String fingerprint(String definition, Predicate<String> followed) {
		StringBuilder kept = new StringBuilder();
		String[] lines = definition.split("\n");
		for (int i = 0; i < lines.length; i++) {
			String line = lines[i].strip().replaceFirst(",$", "");
			Matcher column = NAME.matcher(line);
			if (column.matches() && followed.test(column.group(1).replace("``", "`").toLowerCase(Locale.ROOT))) {
				kept.append(i).append(line).append('\n');
			}
			else if (line.startsWith("PRIMARY KEY") || line.startsWith("UNIQUE KEY") || line.startsWith("CONSTRAINT")) {
				kept.append(line).append('\n');
			}
			else if (line.startsWith(")")) {
				CHARACTERS.matcher(line).results().forEach((option) -> kept.append(option.group()).append('\n'));
			}
		}
		return UUID.nameUUIDFromBytes(kept.toString().getBytes(StandardCharsets.UTF_8)).toString();
	}

	/**
	 * Return the full name of a table that a connection finds, {@code null} if there is
	 * none.
	 */
	static @Nullable String fullName(Connection connection, String table) throws SQLException {
		try (PreparedStatement query = connection.prepareStatement(TABLE); ResultSet row = find(query, names(table))) {
			return row.next() ? row.getString(1) + "." + row.getString(2) : null;
		}
	}

	private static ResultSet find(PreparedStatement query, String[] names) throws SQLException {
		query.setString(1, (names.length > 1) ? names[0] : null);
		query.setString(2, names[names.length - 1]);
		return query.executeQuery();
	}

	private static String[] names(String table) {
		return table.replace("`", "").split("\\.", 2);
	}

	private static Set<String> names(Collection<String> columns) {
		return columns.stream().map((name) -> name.toLowerCase(Locale.ROOT)).collect(Collectors.toSet());
	}

	static MySqlTable read(Connection connection, FeedSpecification specification) throws SQLException {
		try (PreparedStatement query = connection.prepareStatement(TABLE);
				ResultSet row = find(query, names(specification.table()))) {
			if (!row.next()) {
				throw new InvalidGuardException(
						specification.property("table") + " is '" + specification.table()
								+ "', and there is no table of that name",
						"Write the table with its schema, such as shop.product");
			}
			if (!ENGINES.contains(row.getString(3).toLowerCase(Locale.ROOT))) {
				throw new InvalidGuardException(specification.property("table") + " is '" + specification.table()
						+ "', whose rows are visible before they are in the log, because it is of " + row.getString(3),
						"Run: alter table " + specification.table() + " engine = InnoDB; or use catch-up.query");
			}
			List<String> keys = keys(connection, row.getString(1), row.getString(2), specification);
			return new MySqlTable(row.getString(1), row.getString(2),
					"0".equals(MySqlServer.variable(connection, "lower_case_table_names")), keys,
					isUnique(connection, row.getString(1), row.getString(2), keys));
		}
	}

	private static List<String> keys(Connection connection, String schema, String name, FeedSpecification specification)
			throws SQLException {
		Map<String, Column> columns = columns(connection, schema, name);
		checkReadable(columns, specification);
		List<String> keys = new ArrayList<>();
		for (String key : specification.keyColumns()) {
			Column column = columns.get(key.toLowerCase(Locale.ROOT));
			if (column == null) {
				throw new InvalidGuardException(
						specification.property("key-columns") + " has '" + key + "', which the table "
								+ specification.table() + " does not have",
						"Write some of its columns: " + String.join(", ", columns.keySet()));
			}
			if (!column.isSupported()) {
				throw new InvalidGuardException(
						specification.property("key-columns") + " has '" + key + "', which is " + column.description(),
						"The change log can be followed for keys that are integers, decimals, texts in utf8mb4, utf8mb3,"
								+ " latin1 or ascii, bytes, enums of ASCII names, years and dates; for others, set"
								+ " changes.enabled to false and use catch-up.query");
			}
			checkCascades(connection, schema, name, key, specification);
			keys.add(key);
		}
		return keys;
	}

	/**
	 * Rows are read as a whole, so one column that can't be read hides all others.
	 */
	private static void checkReadable(Map<String, Column> columns, FeedSpecification specification) {
		columns.forEach((name, column) -> {
			if (!column.isReadable()) {
				throw new InvalidGuardException(
						specification.property("table") + " is '" + specification.table() + "', whose column '" + name
								+ "' can't be read from the log, because it is of type " + column.definition(),
						"Run: alter table " + specification.table() + " modify " + name
								+ " with a type that is neither compressed nor a VECTOR; or use catch-up.query");
			}
		});
	}

	private static Map<String, Column> columns(Connection connection, String schema, String name) throws SQLException {
		Map<String, Column> columns = new LinkedHashMap<>();
		try (PreparedStatement query = connection.prepareStatement(COLUMNS)) {
			query.setString(1, schema);
			query.setString(2, name);
			try (ResultSet rows = query.executeQuery()) {
				while (rows.next()) {
					columns.put(rows.getString(1).toLowerCase(Locale.ROOT), new Column(rows.getString(2),
							rows.getString(3), rows.getString(4), String.valueOf(rows.getString(5))));
				}
			}
		}
		return columns;
	}

	private static boolean isUnique(Connection connection, String schema, String name, List<String> keys)
			throws SQLException {
		Set<String> names = names(keys);
		Map<String, Boolean> indexes = new HashMap<>();
		try (PreparedStatement query = connection.prepareStatement(UNIQUE)) {
			query.setString(1, schema);
			query.setString(2, name);
			try (ResultSet rows = query.executeQuery()) {
				while (rows.next()) {
					indexes.merge(rows.getString(1), names.contains(rows.getString(2)), Boolean::logicalAnd);
				}
			}
		}
		return indexes.containsValue(true);
	}

	private static void checkCascades(Connection connection, String schema, String name, String key,
			FeedSpecification specification) throws SQLException {
		try (PreparedStatement query = connection.prepareStatement(CASCADES)) {
			query.setString(1, schema);
			query.setString(2, name);
			query.setString(3, key);
			try (ResultSet row = query.executeQuery()) {
				if (row.next()) {
					throw new InvalidGuardException(
							specification.property("key-columns") + " has '" + key + "', which the foreign key "
									+ row.getString(1) + " changes without a word in the log",
							"Run: alter table " + name + " drop foreign key " + row.getString(1)
									+ "; and add it without cascading updates, or use catch-up.query");
				}
			}
		}
	}

	boolean is(String schema, String name) {
		return this.distinct ? this.schema.equals(schema) && this.name.equals(name)
				: this.schema.equalsIgnoreCase(schema) && this.name.equalsIgnoreCase(name);
	}

	private record Column(String type, String definition, String characters, String extra) {

		boolean isSupported() {
			return TYPES.contains(this.type.toLowerCase(Locale.ROOT))
					&& (this.characters.isEmpty() || BinlogColumn.isKnown(this.characters))
					&& !this.extra.toUpperCase(Locale.ROOT).contains("VIRTUAL") && (!this.type.equalsIgnoreCase("enum")
							|| StandardCharsets.US_ASCII.newEncoder().canEncode(this.definition));
		}

		boolean isReadable() {
			return !this.definition.toUpperCase(Locale.ROOT).contains("COMPRESSED")
					&& !this.type.equalsIgnoreCase("vector");
		}

		String description() {
			return "of type " + this.definition + (this.characters.isEmpty() ? "" : " in " + this.characters)
					+ (this.extra.isEmpty() ? "" : " (" + this.extra + ")");
		}

	}

}
