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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Knows what a database runs by itself if a statement calls a routine or writes to a
 * table with triggers, as the text that its catalogue has of them.
 */
public final class StoredCode {

	private static final String POSTGRESQL = """
			select case when p.prosrc = '' then pg_catalog.pg_get_functiondef(p.oid) else p.prosrc end
				from pg_catalog.pg_proc p
				join pg_catalog.pg_namespace n on n.oid = p.pronamespace
				where n.nspname not in ('pg_catalog', 'information_schema') and p.prokind in ('f', 'p')
					and p.provolatile = 'v' and (lower(p.proname::text) = ? or p.oid in (
						select t.tgfoid from pg_catalog.pg_trigger t join pg_catalog.pg_class c on c.oid = t.tgrelid
							where not t.tgisinternal and lower(c.relname::text) = ?))""";

	private static final String MYSQL = """
			select routine_definition from information_schema.routines
				where routine_schema <> 'sys' and lower(routine_name) = ?
			union all select action_statement from information_schema.triggers where lower(event_object_table) = ?""";

	/**
	 * What is written in Java tells nothing.
	 */
	private static final String H2 = "select cast(null as varchar) from information_schema.routines"
			+ " where lower(routine_name) = ?";

	private static final String NAME = "((?:[\\p{L}_][\\p{L}\\p{N}_$#]*|\"[^\"]+\"|`[^`]+`|\\s*\\.\\s*)+)";

	/**
	 * What follows a verb that inserts or calls, or is followed by a parenthesis. Also in
	 * text that is to be executed.
	 */
	private static final Pattern INSERTED = Pattern.compile(
			"\\b(?:(?:insert|replace|merge|upsert|copy|call)\\s+"
					+ "(?:(?:into|ignore|or|low_priority|delayed|high_priority)\\s+)*" + NAME + ")|" + NAME + "\\s*\\(",
			Pattern.CASE_INSENSITIVE);

	private static final Map<String, String> QUERIES = Map.of("PostgreSQL", POSTGRESQL, "MySQL", MYSQL, "MariaDB",
			MYSQL, "H2", H2);

	private final CatalogueQuestion<Code> question = new CatalogueQuestion<>(
			"whether routines and triggers write to the tables of filters", QUERIES, StoredCode::read);

	/**
	 * Return the code that a name stands for.
	 * @param database told apart from others by its identity
	 * @param name of a routine or a table, without schema and quotes, in lower case
	 * @param connection the one that has used the name
	 */
	public Code of(Object database, String name, RelatedTables.ConnectionSource connection) {
		return this.question.ask(database, name, connection).orElse(Code.UNREADABLE);
	}

	private static Code read(String name, ResultSet rows) throws SQLException {
		List<String> texts = new ArrayList<>();
		boolean complete = true;
		while (rows.next()) {
			String text = rows.getString(1);
			if (text != null) {
				texts.add(text);
			}
			complete &= text != null;
		}
		return new Code(texts, complete);
	}

	/**
	 * Code of a name.
	 *
	 * @param texts of what can be read
	 * @param complete whether that is all
	 */
	public record Code(List<String> texts, boolean complete) {

		static final Code UNREADABLE = new Code(List.of(), false);

		/**
		 * Return the names of what the texts insert into or call.
		 */
		public Set<String> inserted() {
			return this.texts.stream()
				.flatMap((text) -> INSERTED.matcher(text).results())
				.map((name) -> RelatedTables.plain((name.group(1) != null) ? name.group(1) : name.group(2)))
				.collect(Collectors.toSet());
		}

	}

}
