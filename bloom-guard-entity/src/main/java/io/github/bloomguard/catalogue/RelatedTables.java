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

package io.github.bloomguard.catalogue;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import javax.sql.DataSource;

import io.github.bloomguard.jdbc.DatabaseTable;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.datasource.DataSourceUtils;

/**
 * Knows which tables a statement writes to that names something else: a part of a table
 * or a table of parts, a view, a table with rules, a synonym. The catalogue is asked for
 * each name, seldom, on the connection that has just written to it.
 */
public final class RelatedTables {

	private static final Pattern QUOTES = Pattern.compile("[\"`\\[\\]]");

	private static final Pattern NAME = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_$#]*");

	/**
	 * What inherits passes rows up, what has parts down, and rules to whatever they name.
	 */
	private static final String POSTGRESQL = """
			with recursive reached (id, plain, way) as (
				select c.oid, true, 0 from pg_catalog.pg_class c where lower(c.relname::text) = ?
				union
				select n.id, n.plain, n.way from reached r, lateral (
					select i.inhparent, r.plain, 1 from pg_catalog.pg_inherits i
						where i.inhrelid = r.id and r.way <> 2
					union all
					select i.inhrelid, r.plain, 2 from pg_catalog.pg_inherits i
						join pg_catalog.pg_class p on p.oid = i.inhparent and p.relkind = 'p'
						where i.inhparent = r.id and r.way <> 1
					union all
					select d.refobjid, false, 0 from pg_catalog.pg_rewrite w
						join pg_catalog.pg_depend d on d.objid = w.oid
							and d.classid = 'pg_catalog.pg_rewrite'::regclass
							and d.refclassid = 'pg_catalog.pg_class'::regclass
						where w.ev_class = r.id and d.refobjid <> r.id) n (id, plain, way))
			select cast(? as text), c.relname::text, r.plain
				from reached r join pg_catalog.pg_class c on c.oid = r.id""";

	private static final String MYSQL = "select lower(table_name), view_definition, false"
			+ " from information_schema.views where table_schema = database()";

	private static final String H2 = "select lower(synonym_name), synonym_for, true from information_schema.synonyms";

	private static final Map<String, String> QUERIES = Map.of("PostgreSQL", POSTGRESQL, "MySQL", MYSQL, "MariaDB",
			MYSQL, "H2", H2);

	private final CatalogueQuestion<Map<String, Boolean>> question = new CatalogueQuestion<>(
			"whether statements that name other tables write to those of filters", QUERIES, RelatedTables::reached);

	/**
	 * Return a name as it is asked for.
	 */
	public static String plain(String name) {
		return QUOTES.matcher(name.substring(name.lastIndexOf('.') + 1)).replaceAll("").toLowerCase(Locale.ROOT);
	}

	/**
	 * Return a name with the schema in which a connection looks for it first.
	 */
	public static String qualified(String name, Connection connection) throws SQLException {
		List<@Nullable String> path = DatabaseTable.path(connection);
		return (name.contains(".") || path.isEmpty()) ? name : path.get(0) + "." + name;
	}

	/**
	 * Return where rows get that are written under a name.
	 * @param database told apart from others by its identity
	 * @param name without schema and quotes, in lower case
	 * @param connection the one that has written
	 * @return the names of the tables in lower case, each with whether its columns have
	 * the same names and values there
	 */
	public Map<String, Boolean> of(Object database, String name, ConnectionSource connection) {
		return this.question.ask(database, name, connection).orElse(Map.of());
	}

	private static List<String> names(String definition) {
		return NAME.matcher(definition.toLowerCase(Locale.ROOT)).results().map(MatchResult::group).distinct().toList();
	}

	private static Map<String, Boolean> reached(String from, ResultSet rows) throws SQLException {
		List<Relation> relations = new ArrayList<>();
		while (rows.next()) {
			String definition = rows.getString(2);
			List<String> names = (definition != null) ? names(definition) : List.of();
			relations.add(new Relation(rows.getString(1), names, rows.getBoolean(3)));
		}
		Map<String, Boolean> reached = new HashMap<>(Map.of(from, true));
		Deque<String> next = new ArrayDeque<>(List.of(from));
		while (!next.isEmpty()) {
			String name = next.remove();
			boolean plain = Boolean.TRUE.equals(reached.get(name));
			for (Relation relation : relations) {
				if (relation.name().equals(name)) {
					relation.tables()
						.stream()
						.filter((table) -> reached.putIfAbsent(table, plain && relation.plain()) == null)
						.forEach(next::add);
				}
			}
		}
		return reached;
	}

	/**
	 * Gives a connection that stays open.
	 */
	@FunctionalInterface
	public interface ConnectionSource {

		Connection get() throws SQLException;

		/**
		 * Give the connection of the thread's transaction, or another one, to a question
		 * that may not need it.
		 */
		static <T> T of(DataSource database, Function<ConnectionSource, T> question) {
			AtomicReference<@Nullable Connection> used = new AtomicReference<>();
			try {
				return question.apply(() -> {
					Connection connection = used.get();
					if (connection == null) {
						connection = DataSourceUtils.getConnection(database);
						used.set(connection);
					}
					return connection;
				});
			}
			finally {
				DataSourceUtils.releaseConnection(used.get(), database);
			}
		}

	}

	/**
	 * @param tables whatever its definition names, columns and functions too
	 */
	private record Relation(String name, List<String> tables, boolean plain) {
	}

}
