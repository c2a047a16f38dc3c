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

import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Types;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A table or view, as the database describes it.
 *
 * @param schema the catalog where databases are called so
 */
public record DatabaseTable(@Nullable String catalog, @Nullable String schema, String name) {

	private static final String ALL = "%";

	private static final Pattern QUOTES = Pattern.compile("[\"`\\[\\]]");

	/**
	 * Find the tables that a statement may mean by a name.
	 */
	static List<DatabaseTable> named(SqlName name, Connection connection) throws SQLException {
		String text = name.last().text();
		List<DatabaseTable> tables = new ArrayList<>();
		for (String form : new TreeSet<>(List.of(text, text.toLowerCase(Locale.ROOT), text.toUpperCase(Locale.ROOT)))) {
			tables.addAll(find(name, form, connection));
		}
		return tables.stream().distinct().toList();
	}

	/**
	 * Find the tables of a name, whatever its case and their schema.
	 */
	static List<DatabaseTable> like(SqlName name, Connection connection) throws SQLException {
		return find(name, ALL, connection);
	}

	private static List<DatabaseTable> find(SqlName name, String pattern, Connection connection) throws SQLException {
		DatabaseMetaData database = connection.getMetaData();
		boolean schemas = database.supportsSchemasInTableDefinitions();
		SqlName.Part catalog = schemas ? name.catalog() : name.qualifier();
		List<DatabaseTable> tables = new ArrayList<>();
		try (ResultSet rows = database.getTables((catalog != null) ? catalog.text() : connection.getCatalog(), null,
				pattern, null)) {
			while (rows.next()) {
				// the name is a pattern
				if (rows.getString("TABLE_NAME").equalsIgnoreCase(name.last().text())) {
					tables.add(new DatabaseTable(rows.getString("TABLE_CAT"),
							rows.getString(schemas ? "TABLE_SCHEM" : "TABLE_CAT"), rows.getString("TABLE_NAME")));
				}
			}
		}
		return tables;
	}

	/**
	 * Return a name without schema and quotes, in a form to compare.
	 */
	public static String plainName(String name) {
		return QUOTES.matcher(name.substring(name.lastIndexOf('.') + 1)).replaceAll("").toLowerCase(Locale.ROOT);
	}

	/**
	 * Return a name with the schema in which a connection looks for it first.
	 */
	public static String qualified(String name, Connection connection) throws SQLException {
		List<@Nullable String> path = path(connection);
		return (name.contains(".") || path.isEmpty()) ? name : path.get(0) + "." + name;
	}

	/**
	 * Return the schemas in which a connection looks for names without one, in its order.
	 */
	public static List<@Nullable String> path(Connection connection) throws SQLException {
		DatabaseMetaData database = connection.getMetaData();
		if ("PostgreSQL".equals(database.getDatabaseProductName())) {
			try (Statement statement = connection.createStatement();
					ResultSet row = statement.executeQuery("select current_schemas(false)")) {
				row.next();
				return Arrays.asList((String[]) row.getArray(1).getArray());
			}
		}
		return Arrays.asList(database.supportsSchemasInTableDefinitions() ? DatabaseIdentity.schema(connection)
				: connection.getCatalog());
	}

	List<String> primaryKey(DatabaseMetaData database) throws SQLException {
		Map<Integer, String> columns = new TreeMap<>();
		try (ResultSet rows = database.getPrimaryKeys(this.catalog, schemaOrNull(database), this.name)) {
			while (rows.next()) {
				columns.put(rows.getInt("KEY_SEQ"), rows.getString("COLUMN_NAME"));
			}
		}
		return List.copyOf(columns.values());
	}

	/**
	 * Return the columns in their order, with the type that their values have in Java,
	 * {@code Object} for one that is not told.
	 */
	Map<String, Class<?>> columns(DatabaseMetaData database) throws SQLException {
		Map<String, Class<?>> columns = new LinkedHashMap<>();
		try (ResultSet rows = database.getColumns(this.catalog, schemaOrNull(database), this.name, null)) {
			while (rows.next()) {
				if (this.name.equals(rows.getString("TABLE_NAME"))) {
					columns.put(rows.getString("COLUMN_NAME"),
							type(rows.getInt("DATA_TYPE"), rows.getString("TYPE_NAME")));
				}
			}
		}
		return columns;
	}

	private static Class<?> type(int type, String name) {
		if (name.equalsIgnoreCase("uuid")) {
			return UUID.class;
		}
		return switch (type) {
			case Types.BIGINT, Types.INTEGER, Types.SMALLINT, Types.TINYINT -> Long.class;
			case Types.NUMERIC, Types.DECIMAL -> BigDecimal.class;
			case Types.CHAR, Types.NCHAR, Types.VARCHAR, Types.NVARCHAR, Types.LONGVARCHAR, Types.LONGNVARCHAR ->
				String.class;
			default -> Object.class;
		};
	}

	private @Nullable String schemaOrNull(DatabaseMetaData database) throws SQLException {
		return database.supportsSchemasInTableDefinitions() ? this.schema : null;
	}

	/**
	 * Return the name that leads to it from everywhere.
	 */
	String fullName(String quote) {
		String own = SqlName.Part.quoted(this.name, quote);
		return (this.schema != null) ? SqlName.Part.quoted(this.schema, quote) + "." + own : own;
	}

	String written(DatabaseMetaData database) throws SQLException {
		String own = SqlName.Part.written(this.name, database);
		return (this.schema != null) ? SqlName.Part.written(this.schema, database) + "." + own : own;
	}

}
