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

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * A statement that is in the binary log as its text. In ROW format only those are that
 * change no rows: every other one may change any table, by triggers, functions and views
 * that it does not name.
 *
 * @param schema that of its session
 * @param text in lower case, without comments before it
 */
record BinlogStatement(String schema, String text) {

	/**
	 * Comments that a server executes, as dumps have them.
	 */
	private static final Pattern EXECUTED = Pattern.compile("/\\*M?!\\d*(.*?)\\*/", Pattern.DOTALL);

	private static final Pattern COMMENTS = Pattern.compile("^(\\s++|/\\*.*?\\*/|--[^\\n]*(\\n|$)|#[^\\n]*(\\n|$))+",
			Pattern.DOTALL);

	private static final Pattern ROWLESS = pattern("|(begin|commit|rollback|savepoint|release|xa|alter|create|drop"
			+ "|rename|truncate|grant|revoke|flush|install|uninstall|set (password|default role|role)"
			+ "|(analyze|optimize|repair|check|checksum) ((no_write_to_binlog|local) )?tables?)\\b.*");

	/**
	 * In ROW format a table is created first, and filled by events.
	 */
	private static final Pattern FILLING = pattern(
			"create (or replace )?(temporary )?table\\b.*\\b(select|values\\s+row)\\b.*");

	private static final Pattern DEFINING = pattern("(alter ((online|offline|ignore) )*table|rename tables?"
			+ "|drop tables?|create or replace (temporary )?table|create or replace unique index|drop index)\\b.*");

	private static final Pattern DROPPING = pattern("drop (database|schema)\\b.*");

	/**
	 * What is in a clause of {@code alter table}, apart from commas between clauses.
	 */
	private static final String TOKENS = "(?:[^,()'\"`#/\\\\-]++|-(?!-)|/(?!\\*)|'[^'\\\\]*+'|`[^`]*+`"
			+ "|\\((?:[^()'\"`#/\\\\-]++|'[^'\\\\]*+'|`[^`]*+`)*+\\))*+";

	private static final String ADDITION = "\\s*(?:add (?:column )?(?!unique|primary|constraint|foreign|period|system)[\\w$`]"
			+ "|(?:drop|truncate) partition\\b|(?:disable|enable) keys\\b|(?:algorithm|lock|comment|auto_increment)\\b)"
			+ TOKENS;

	/**
	 * Leaves all columns where they are, and as they are.
	 */
	private static final Pattern ADDING = pattern("alter ((online|ignore) )*table (if exists )?[\\w$`.]+ "
			+ "(?!.*\\b(first|after|unique|primary|references)\\b)" + ADDITION + "(?:," + ADDITION + ")*");

	private static final int LONGEST = 4000;

	/**
	 * The name of a schema before that of a table, if that is sure.
	 */
	private static final String QUALIFIER = "(?:(?<![\\w$.`\"])([`\"]?)([\\w$]+)\\1\\s*\\.\\s*[`\"]?)?";

	private static final int LAST_ASCII = 127;

	static BinlogStatement of(String schema, String sql) {
		String executed = EXECUTED.matcher(sql).replaceAll(" $1 ");
		return new BinlogStatement(schema,
				COMMENTS.matcher(executed).replaceFirst("").strip().toLowerCase(Locale.ROOT));
	}

	/**
	 * @param regex in which a space stands for some
	 */
	private static Pattern pattern(String regex) {
		return Pattern.compile(regex.replace(" ", "\\s+"), Pattern.DOTALL);
	}

	boolean isRowless() {
		return ROWLESS.matcher(this.text).matches() && !FILLING.matcher(this.text).matches();
	}

	/**
	 * Return whether it may change what the keys of a table depend on, beside its rows.
	 */
	boolean isRedefining(MySqlTable table) {
		if (DROPPING.matcher(this.text).matches()) {
			return names(table.schema());
		}
		return DEFINING.matcher(this.text).matches() && names(table) && !isAdding();
	}

	/**
	 * Return whether the text has the name of a table, and not only behind that of
	 * another schema.
	 */
	private boolean names(MySqlTable table) {
		boolean near = this.schema.equalsIgnoreCase(table.schema()) || names(table.schema());
		return matcher(QUALIFIER, table.name()).results()
			.anyMatch((found) -> (found.group(2) != null) ? found.group(2).equalsIgnoreCase(table.schema()) : near)
				|| (near && isUnreadable(table.name()));
	}

	private boolean isAdding() {
		return this.text.length() <= LONGEST && ADDING.matcher(this.text).matches();
	}

	/**
	 * Return whether the text has a name, anywhere: it may be in quotes of any kind.
	 */
	private boolean names(String name) {
		return matcher("", name).find() || isUnreadable(name);
	}

	private Matcher matcher(String before, String name) {
		String written = name.replace("`", "``").toLowerCase(Locale.ROOT);
		return Pattern.compile(before + "(?<![\\w$])" + Pattern.quote(written) + "(?![\\w$])").matcher(this.text);
	}

	/**
	 * Return whether a name may be in a text that is not in UTF-8.
	 */
	private boolean isUnreadable(String name) {
		return this.text.indexOf('\uFFFD') >= 0 && name.chars().anyMatch((character) -> character > LAST_ASCII);
	}

	/**
	 * Return how it completes a transaction, {@code null} if it does not.
	 */
	@Nullable Boolean committed() {
		return this.text.equals("commit") ? Boolean.TRUE : this.text.equals("rollback") ? Boolean.FALSE : null;
	}

	boolean isPreparedCommit() {
		return this.text.startsWith("xa commit");
	}

	@Override
	public String toString() {
		return "'" + this.text.split("\\s", 2)[0] + " …'";
	}

}
