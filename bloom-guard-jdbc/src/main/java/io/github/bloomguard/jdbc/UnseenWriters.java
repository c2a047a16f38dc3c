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
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Asks a database in which ways rows of tables may come that no writer shows: code that
 * runs by itself or is called, such as a trigger, and other names under which they are
 * written, such as a view or a part of the table. Only the database knows of them.
 * <p>
 * Code counts if it mentions a table, or, if it is a trigger of the table itself, a
 * column of its key. That is coarse on purpose: such a filter only verifies before it
 * answers.
 */
final class UnseenWriters {

	private static final Duration LONGEST = Duration.ofSeconds(5);

	/**
	 * Each row is what may write, its code, {@code null} if it writes to the table in any
	 * case or can't be read, and whether it is the code of the table itself. Each
	 * parameter is the name of the table in lower case.
	 */
	private static final String POSTGRESQL = """
			with kept as (select c.oid from pg_catalog.pg_class c where lower(c.relname::text) = ?),
			code as (select p.oid, p.proname, p.prorettype = 'pg_catalog.trigger'::regtype as fired, case when p.prosrc = '' then pg_catalog.pg_get_functiondef(p.oid)
						else p.prosrc end as text
					from pg_catalog.pg_proc p join pg_catalog.pg_namespace n on n.oid = p.pronamespace
					where n.nspname not in ('pg_catalog', 'information_schema') and p.prokind in ('f', 'p')
						and p.provolatile = 'v')
			select 'the routine ' || code.proname, code.text, false from code where not code.fired
			union all
			select 'the trigger ' || t.tgname, code.text || ' ' || encode(t.tgargs, 'escape'), t.tgrelid in (select oid from kept)
				from pg_catalog.pg_trigger t join code on code.oid = t.tgfoid where not t.tgisinternal
			union all
			select case when w.rulename = '_RETURN' then 'the view ' else 'a rule of ' end || r.relname, null, false
				from pg_catalog.pg_rewrite w join pg_catalog.pg_class r on r.oid = w.ev_class
				join pg_catalog.pg_depend d on d.objid = w.oid and d.classid = 'pg_catalog.pg_rewrite'::regclass
					and d.refclassid = 'pg_catalog.pg_class'::regclass
				where d.refobjid in (select oid from kept) and d.refobjid <> r.oid
					and (w.rulename <> '_RETURN' or pg_catalog.pg_relation_is_updatable(r.oid, true) & 8 <> 0)
			union all
			select 'the table ' || r.relname || ', of which it is a part or which is a part of it', null, false
				from pg_catalog.pg_inherits i join pg_catalog.pg_class r on r.oid in (i.inhrelid, i.inhparent)
				where r.oid not in (select oid from kept)
					and (i.inhrelid in (select oid from kept) or i.inhparent in (select oid from kept))
			union all
			select 'the foreign key ' || f.conname, string_agg(a.attname, ' '), true
				from pg_catalog.pg_constraint f
				join pg_catalog.pg_attribute a on a.attrelid = f.conrelid and a.attnum = any (f.conkey)
				where f.contype = 'f' and f.confupdtype in ('c', 'd') and f.conrelid in (select oid from kept)
				group by f.oid, f.conname""";

	private static final String MYSQL = """
			select concat('the routine ', routine_name), routine_definition, false from information_schema.routines
				where routine_schema = database()
			union all
			select concat('the trigger ', trigger_name), action_statement, lower(event_object_table) = ?
				from information_schema.triggers where trigger_schema = database()
			union all
			select 'a trigger, as the user of the database sees none: grant it TRIGGER', null, false from (select 1) one
				where concat('\'\'', replace(current_user(), '@', '\'\'@\'\''), '\'\'') not in (
					select grantee from information_schema.user_privileges where privilege_type = 'TRIGGER'
					union select grantee from information_schema.schema_privileges where privilege_type = 'TRIGGER'
					union select grantee from information_schema.table_privileges where privilege_type = 'TRIGGER')
			union all
			select concat('the view ', table_name), view_definition, false from information_schema.views
				where table_schema = database() and is_updatable = 'YES'
			union all
			select concat('the foreign key ', k.constraint_name), k.column_name, true
				from information_schema.referential_constraints f
				join information_schema.key_column_usage k on k.constraint_schema = f.constraint_schema
					and k.constraint_name = f.constraint_name and k.table_name = f.table_name
				where f.constraint_schema = database() and f.update_rule in ('CASCADE', 'SET DEFAULT')
					and lower(k.table_name) = ?""";

	/**
	 * What is written in Java can't be read.
	 */
	private static final String H2 = """
			select 'the trigger ' || trigger_name, cast(null as varchar), false from information_schema.triggers
			union all
			select 'the routine ' || routine_name, cast(null as varchar), false from information_schema.routines
			union all
			select 'the synonym ' || synonym_name, cast(null as varchar), false from information_schema.synonyms
				where lower(synonym_for) = ?""";

	private static final String HSQLDB = """
			select 'the trigger ' || trigger_name, cast(action_statement as longvarchar),
					case when lower(event_object_table) = ? then true else false end
				from information_schema.triggers
			union all
			select 'the routine ' || routine_name, cast(routine_definition as longvarchar), false
				from information_schema.routines where routine_type <> 'AGGREGATE'
			union all
			select 'the view ' || table_name, cast(view_definition as longvarchar), false
				from information_schema.views where insertable_into = 'YES'""";

	private static final String SQLITE = """
			select 'the trigger ' || name, sql, lower(tbl_name) = ? from sqlite_master where type = 'trigger'""";

	private static final Map<String, String> QUERIES = Map.of("PostgreSQL", POSTGRESQL, "MySQL", MYSQL, "MariaDB",
			MYSQL, "H2", H2, "HSQL Database Engine", HSQLDB, "SQLite", SQLITE);

	private final List<String> tables;

	private final List<String> keyColumns;

	/**
	 * @param tables as they are written in statements
	 * @param keyColumns the columns of the key
	 */
	UnseenWriters(List<String> tables, List<String> keyColumns) {
		this.tables = tables.stream().map(DatabaseTable::plainName).distinct().toList();
		this.keyColumns = keyColumns;
	}

	/**
	 * Return what may write rows without being seen.
	 * @return one of them, empty if there is none; also that the database can't be asked
	 */
	Optional<String> find(Connection connection) throws SQLException {
		String database = connection.getMetaData().getDatabaseProductName();
		String query = QUERIES.get(database);
		if (query == null) {
			return Optional.of("a trigger, a view or a routine, for which the guard can't ask " + database);
		}
		for (String table : this.tables) {
			Optional<String> found = find(connection, query, table);
			if (found.isPresent()) {
				return found;
			}
		}
		return Optional.empty();
	}

	private Optional<String> find(Connection connection, String query, String table) throws SQLException {
		Pattern own = mention(this.keyColumns);
		Pattern other = mention(List.of(table));
		try (PreparedStatement statement = connection.prepareStatement(query)) {
			statement.setQueryTimeout((int) LONGEST.toSeconds());
			long parameters = query.chars().filter((character) -> character == '?').count();
			for (int i = 1; i <= parameters; i++) {
				statement.setString(i, table);
			}
			try (ResultSet rows = statement.executeQuery()) {
				while (rows.next()) {
					String code = rows.getString(2);
					if (writes(code, other) || (rows.getBoolean(3) && writes(code, own))) {
						return Optional.of(rows.getString(1));
					}
				}
			}
		}
		return Optional.empty();
	}

	private static boolean writes(@Nullable String code, Pattern mention) {
		return code == null || mention.matcher(code).find();
	}

	private static Pattern mention(List<String> names) {
		List<String> quoted = names.stream().map((name) -> Pattern.quote(name.toLowerCase(Locale.ROOT))).toList();
		return Pattern.compile("(?<![\\p{L}\\p{N}_$])(?:" + String.join("|", quoted) + ")(?![\\p{L}\\p{N}_$])",
				Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
	}

}
