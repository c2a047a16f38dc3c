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

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

import org.apache.commons.logging.LogFactory;

/**
 * Knows what a database runs by itself if a statement calls a routine or writes to a
 * table with triggers, as the text that its catalogue has of them.
 */
public final class StoredCode {

	/**
	 * A foreign key that cascades is code, too: its table has triggers of its own.
	 */
	private static final String POSTGRESQL = """
			select case when p.prosrc = '' then pg_catalog.pg_get_functiondef(p.oid) else p.prosrc || f.arguments end,
					f.events
				from (select p.oid, '', 'INSERT UPDATE DELETE' from pg_catalog.pg_proc p
						where lower(p.proname::text) = any (string_to_array(?, ','))
					union all
					select t.tgfoid, ' /* ' || encode(t.tgargs, 'escape') || ' */',
							concat(case when t.tgtype & 4 > 0 then 'INSERT' end, case when t.tgtype & 16 > 0 then 'UPDATE' end,
								case when t.tgtype & 8 > 0 then 'DELETE' end)
						from pg_catalog.pg_trigger t join pg_catalog.pg_class c on c.oid = t.tgrelid
						where not t.tgisinternal and lower(c.relname::text) = any (string_to_array(?, ','))) f (id, arguments, events)
				join pg_catalog.pg_proc p on p.oid = f.id
				join pg_catalog.pg_namespace n on n.oid = p.pronamespace
				where n.nspname not in ('pg_catalog', 'information_schema') and p.prokind in ('f', 'p')
					and p.provolatile = 'v'
			union all
			select case k.action when 'c' then k.verb else 'update ' end || quote_ident(r.relname), k.event
				from pg_catalog.pg_class c
				join pg_catalog.pg_constraint f on f.confrelid = c.oid and f.contype = 'f'
				join pg_catalog.pg_class r on r.oid = f.conrelid,
				lateral (values (f.confdeltype, 'delete from ', 'DELETE'), (f.confupdtype, 'update ', 'UPDATE'))
					k (action, verb, event)
				where lower(c.relname::text) = any (string_to_array(?, ',')) and k.action in ('c', 'n', 'd')""";

	private static final String MYSQL = """
			select routine_definition, 'INSERT UPDATE DELETE' from information_schema.routines
				where routine_schema <> 'sys' and find_in_set(lower(routine_name), ?) > 0
			union all select action_statement, event_manipulation from information_schema.triggers
				where find_in_set(lower(event_object_table), ?) > 0
			union all select null, 'UNSEEN' from (select 1) one
				where concat('''', replace(current_user(), '@', '''@'''), '''') not in (
					select grantee from information_schema.user_privileges where privilege_type = 'TRIGGER'
					union select grantee from information_schema.schema_privileges where privilege_type = 'TRIGGER'
					union select grantee from information_schema.table_privileges where privilege_type = 'TRIGGER')""";

	/**
	 * What is written in Java tells nothing.
	 */
	private static final String H2 = "select cast(null as varchar), '' from information_schema.routines"
			+ " where locate(',' || lower(routine_name) || ',', ',' || cast(? as varchar) || ',') > 0";

	private static final String NAME = "((?:[\\p{L}_][\\p{L}\\p{N}_$#]*|\"[^\"]+\"|`[^`]+`|\\s*\\.\\s*)+)";

	/**
	 * What follows a verb that writes or calls, or is followed by a parenthesis. Also in
	 * text that is to be executed.
	 */
	private static final Pattern WRITTEN = Pattern
		.compile("\\b(?:(insert|replace|merge|upsert|copy|call|update|delete)\\s+"
				+ "(?:(?:into|from|only|ignore|or|low_priority|delayed|high_priority)\\s+)*" + NAME + ")|" + NAME
				+ "\\s*\\(", Pattern.CASE_INSENSITIVE);

	/**
	 * Where the name of the table is put in when the text is executed.
	 */
	private static final Pattern DYNAMIC = Pattern.compile("\\binsert\\s+into\\s+(?:" + NAME + "\\.\\s*)?['%$]",
			Pattern.CASE_INSENSITIVE);

	private static final Pattern WORD = Pattern.compile(NAME);

	private static final Map<String, String> QUERIES = Map.of("PostgreSQL", POSTGRESQL, "MySQL", MYSQL, "MariaDB",
			MYSQL, "H2", H2);

	private final CatalogueQuestion<Code> question = new CatalogueQuestion<>(
			"whether routines and triggers write to the tables of filters", QUERIES, this::read);

	private final AtomicBoolean unseen = new AtomicBoolean();

	/**
	 * Return the code that names stand for, which is asked for at once: a table may have
	 * thousands of parts.
	 * @param database told apart from others by its identity
	 * @param names of routines and tables, without schema and quotes, in lower case, with
	 * commas between them
	 * @param connection the one that has used the names
	 */
	public Code of(Object database, String names, RelatedTables.ConnectionSource connection) {
		return this.question.ask(database, names, connection).orElse(Code.UNREADABLE);
	}

	private Code read(String name, ResultSet rows) throws SQLException {
		Code code = new Code(new ArrayList<>(), new EnumMap<>(RowWrite.Kind.class), true);
		while (rows.next()) {
			String text = rows.getString(1);
			String events = rows.getString(2);
			if (events.equals("UNSEEN")) {
				warnOfUnseen();
				continue;
			}
			if (text == null) {
				code = new Code(code.texts(), code.writes(), false);
				continue;
			}
			code.texts().add(text);
			Set<RowWrite> writes = writes(text);
			for (RowWrite.Kind kind : RowWrite.Kind.values()) {
				if (events.contains(kind.name())) {
					code.writes().computeIfAbsent(kind, (none) -> new HashSet<>()).addAll(writes);
				}
			}
		}
		return code;
	}

	/**
	 * The catalogue of MySQL and MariaDB is silent about triggers without that right.
	 */
	private void warnOfUnseen() {
		if (this.unseen.compareAndSet(false, true)) {
			LogFactory.getLog(StoredCode.class)
				.warn("Rows that triggers insert are hidden, if there are any: the user of the database sees no triggers."
						+ " Grant it TRIGGER, directly, or let changes be followed (changes.enabled)");
		}
	}

	private static Set<RowWrite> writes(String text) {
		Set<RowWrite> writes = WRITTEN.matcher(text)
			.results()
			.map((found) -> (found.group(1) != null) ? RowWrite.of(RowWrite.Kind.of(found.group(1)), found.group(2))
					: RowWrite.of(RowWrite.Kind.INSERT, found.group(3)))
			.collect(Collectors.toSet());
		if (DYNAMIC.matcher(text).find()) {
			WORD.matcher(text).results().forEach((word) -> writes.add(RowWrite.of(RowWrite.Kind.INSERT, word.group())));
		}
		return writes;
	}

	/**
	 * Code of a name.
	 *
	 * @param texts of what can be read
	 * @param writes what the texts write to or call when rows are written so
	 * @param complete whether that is all
	 */
	public record Code(List<String> texts, Map<RowWrite.Kind, Set<RowWrite>> writes, boolean complete) {

		public static final Code NONE = new Code(List.of(), Map.of(), true);

		static final Code UNREADABLE = new Code(List.of(), Map.of(), false);

	}

}
