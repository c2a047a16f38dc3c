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

package io.github.bloomguard.mybatis;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;

import org.jspecify.annotations.Nullable;

/**
 * What a statement writes, as far as its text tells for certain: keys that are parameters
 * of their own in an {@code insert … values} or an {@code update … set}. Whatever else
 * writes to a table is unknown.
 */
final class SqlWrites {

	private static final Pattern TOKENS = Pattern.compile("--[^\\n]*|/\\*.*?\\*/|'(?:[^']|'')*'"
			+ "|\"(?:[^\"]|\"\")*\"|`[^`]*`|\\[[\\p{L}_][^\\]]*\\]|[\\p{L}_][\\p{L}\\p{N}_$#]*|[0-9][0-9.]*|\\S",
			Pattern.DOTALL);

	/**
	 * Text that databases read differently, such as escapes in literals.
	 */
	private static final Pattern AMBIGUOUS = Pattern.compile("\\\\|\\$\\$|/\\*!|/\\*.*/\\*|\\?\\?", Pattern.DOTALL);

	/**
	 * A single statement that reads.
	 */
	private static final Pattern READING = Pattern.compile(
			"\\s*(?:select|values|with|show)\\b"
					+ "(?!.*(?:insert|replace|merge|upsert|update|delete|into|;))[\\s\\S]*",
			Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

	/**
	 * A single statement whose count of rows is that of all that it writes.
	 */
	private static final Pattern COUNTING = Pattern
		.compile("\\s*(?:insert|replace|merge|upsert|update|delete)\\b[^;]*;?\\s*", Pattern.CASE_INSENSITIVE);

	private static final Set<String> INSERTS = Set.of("insert", "replace", "merge", "upsert");

	private static final Set<String> MODIFIERS = Set.of("into", "low_priority", "delayed", "high_priority", "ignore",
			"overwrite", "or", "abort", "fail", "rollback", "only", "table", "all");

	/**
	 * Any other statement may bring rows to a table that it names, such as {@code copy}
	 * and {@code alter table … rename to}.
	 */
	private static final Set<String> KNOWN = Set.of("select", "values", "with", "show", "insert", "replace", "merge",
			"upsert", "update", "delete", "set", "truncate", "drop", "lock", "analyze", "explain");

	/**
	 * The like in the code of a routine, where much else is no statement.
	 */
	private static final Set<String> STORED = Set.of("copy", "alter", "rename", "load");

	private static final Set<String> CALLS = Set.of("call", "exec", "execute", "do", "begin", "declare");

	private static final Pattern CALL = Pattern.compile("([\\p{L}_][\\p{L}\\p{N}_$#]*)\\s*\\(");

	/**
	 * What is followed by a parenthesis in most queries.
	 */
	private static final Set<String> NO_ROUTINES = Set.of("in", "values", "value", "and", "or", "not", "on", "as",
			"using", "exists", "any", "some", "all", "over", "by", "when", "then", "else", "from", "where", "select",
			"join", "union", "count", "sum", "min", "max", "avg", "coalesce", "ifnull", "nullif", "lower", "upper",
			"trim", "concat", "substring", "length", "cast", "now", "row", "varchar", "char", "decimal", "numeric");

	private static final Set<String> ENDS_OF_SET = Set.of("where", "from", "order", "limit", "returning", "on", ";");

	private static final Values NOTHING = new Values(Kind.NOTHING, List.of(), 0);

	private static final Values UNKNOWN = new Values(Kind.UNKNOWN, List.of(), 0);

	private final boolean ambiguous;

	/**
	 * In lower case and without quotes; those that were quoted stand as names only.
	 */
	private final List<String> tokens = new ArrayList<>();

	private final String text;

	private final boolean stored;

	private SqlWrites(String sql, boolean stored) {
		this.stored = stored;
		this.text = sql.toLowerCase(Locale.ROOT);
		this.ambiguous = AMBIGUOUS.matcher(sql).find();
		Matcher matcher = TOKENS.matcher(sql);
		while (matcher.find()) {
			String token = matcher.group();
			if (!token.startsWith("--") && !token.startsWith("/*")) {
				this.tokens.add(unquoted(token));
			}
		}
	}

	/**
	 * Return whether it is worth to look closer, as most queries are not.
	 */
	static boolean mayBeIn(String sql) {
		return !READING.matcher(sql).matches() || CALL.matcher(sql)
			.results()
			.anyMatch((call) -> !NO_ROUTINES.contains(call.group(1).toLowerCase(Locale.ROOT)));
	}

	/**
	 * Return whether nothing was written if no row was counted.
	 */
	static boolean counts(String sql) {
		return COUNTING.matcher(sql).matches();
	}

	static SqlWrites in(String sql) {
		return new SqlWrites(sql, false);
	}

	/**
	 * Return what the code of a routine or a trigger writes.
	 */
	static SqlWrites inStored(String code) {
		return new SqlWrites(code, true);
	}

	static String unquoted(String name) {
		boolean quoted = name.length() > 1 && "\"`[".indexOf(name.charAt(0)) >= 0;
		return (quoted ? name.substring(1, name.length() - 1) : name).toLowerCase(Locale.ROOT);
	}

	/**
	 * Return what is written to the table of a key, under its name or another.
	 * @param related gives the tables of a name, each with whether its columns are the
	 * same
	 */
	ToTable to(FollowedKey key, Function<String, Map<String, Boolean>> related) {
		List<Integer> written = new ArrayList<>();
		boolean plain = true;
		for (int i = 0; i < this.tokens.size(); i++) {
			for (int end : endsOfWritten(i)) {
				Boolean reached = reached(key, end, related);
				if (reached != null) {
					written.add(i);
					plain &= reached;
					break;
				}
			}
		}
		boolean deleted = isOneOf(0, "delete") && isOneOf(1, "from") && reached(key, endOfName(2), related) != null;
		return new ToTable(written, plain, deleted);
	}

	/**
	 * Return whether a text that the database has stored may write keys: it has no
	 * parameters that tell them.
	 */
	boolean mayWrite(FollowedKey key, Function<String, Map<String, Boolean>> related) {
		if (isDynamic() && this.text.contains(key.tableName())) {
			return true;
		}
		ToTable writes = to(key, related);
		List<FollowedColumn> columns = key.columns();
		return columns.isEmpty() ? !writes.isNothing()
				: columns.stream().anyMatch((column) -> writes.to(column).kind() != Kind.NOTHING);
	}

	/**
	 * Return whether it makes statements of texts.
	 */
	boolean isDynamic() {
		return this.tokens.contains("execute") || this.tokens.contains("prepare");
	}

	boolean isCall() {
		return IntStream.range(0, this.tokens.size()).anyMatch((i) -> begins(i) && CALLS.contains(token(i)));
	}

	/**
	 * Return the names of what is called or written to.
	 */
	Set<String> names() {
		Set<String> names = new LinkedHashSet<>();
		for (int i = 0; i < this.tokens.size(); i++) {
			if (isName(i) && isOneOf(i + 1, "(") && !NO_ROUTINES.contains(token(i))) {
				names.add(token(i));
			}
			List<Integer> ends = new ArrayList<>(endsOfWritten(i));
			if (isOneOf(i, "call", "exec", "execute")) {
				ends.add(endOfName(i + 1));
			}
			if (isOneOf(i, "delete") && isOneOf(i + 1, "from")) {
				ends.add(endOfName(i + 2));
			}
			ends.stream().filter((end) -> end > 0).forEach((end) -> names.add(token(end - 1)));
		}
		return names;
	}

	/**
	 * Return where the names of those tables end that are written to by what begins here.
	 */
	private List<Integer> endsOfWritten(int i) {
		if (INSERTS.contains(token(i)) || isInto(i)) {
			return List.of(endOfName(i + 1));
		}
		if (isUpdate(i)) {
			return names(i, "set");
		}
		return (begins(i) && !KNOWN.contains(token(i))) ? names(i, ";") : List.of();
	}

	private boolean begins(int i) {
		return this.stored ? STORED.contains(token(i))
				: isName(i) && (i == 0 || isOneOf(i - 1, ";") || isOneOf(i, "call"));
	}

	/**
	 * Return the ends of all names up to a token.
	 */
	private List<Integer> names(int from, String end) {
		return IntStream.range(from + 1, find(end, from)).filter(this::isName).map((i) -> i + 1).boxed().toList();
	}

	/**
	 * Return whether another table is named than after the verb.
	 */
	private boolean isInto(int i) {
		if (!token(i).equals("into")) {
			return false;
		}
		int verb = i - 1;
		while (MODIFIERS.contains(token(verb))) {
			verb--;
		}
		return !INSERTS.contains(token(verb));
	}

	/**
	 * Return whether the table has the columns of what is named, {@code null} if that is
	 * no way to the table.
	 */
	private @Nullable Boolean reached(FollowedKey key, int end, Function<String, Map<String, Boolean>> related) {
		if (end <= 0) {
			return null;
		}
		String name = token(end - 1);
		return key.isTable(name) ? Boolean.TRUE : related.apply(name).get(key.tableName());
	}

	/**
	 * Return whether a statement begins here that updates, which may have others before
	 * it, and not the part of one that locks or upserts.
	 */
	private boolean isUpdate(int i) {
		return isOneOf(i, "update") && !isOneOf(i - 1, "for", "key", "do", "on");
	}

	/**
	 * Return the rows whose keys a condition names, each by a parameter of its own.
	 * Nothing, if it does not tell.
	 */
	private Values named(FollowedColumn column) {
		for (int i = find("where", 0); i < this.tokens.size(); i++) {
			if (column.isColumn(token(i)) && isOneOf(i + 1, "=") && isOneOf(i + 2, "?")) {
				return new Values(Kind.PARAMETERS, List.of(placeholdersBefore(i + 2)),
						placeholdersBefore(this.tokens.size()));
			}
			if (column.isColumn(token(i)) && isOneOf(i + 1, "in") && isOneOf(i + 2, "(") && isOneOf(i + 3, "?")) {
				List<Integer> parameters = new ArrayList<>();
				for (int j = i + 3; isOneOf(j, "?"); j += 2) {
					parameters.add(placeholdersBefore(j));
				}
				return new Values(Kind.PARAMETERS, parameters, placeholdersBefore(this.tokens.size()));
			}
		}
		return NOTHING;
	}

	/**
	 * Return the end of the name of a table, {@code -1} if there is none.
	 */
	private int endOfName(int from) {
		int i = from;
		while (MODIFIERS.contains(token(i))) {
			i++;
		}
		if (!isName(i)) {
			return -1;
		}
		i++;
		while (token(i).equals(".")) {
			i += 2;
		}
		return i;
	}

	private Values inserted(int from, FollowedColumn column) {
		int i = from;
		while (isName(i) && !isOneOf(i, "values", "value", "set", "select", "default", "overriding")) {
			i++;
		}
		if (isOneOf(i, "set")) {
			return set(i, column, new Values(Kind.DEFAULT, List.of(), placeholdersBefore(this.tokens.size())));
		}
		if (!isOneOf(i, "(")) {
			return UNKNOWN;
		}
		int position = -1;
		int columns = 0;
		for (i++; isName(i); i++) {
			if (column.isColumn(token(i))) {
				position = columns;
			}
			columns++;
			if (!isOneOf(++i, ",")) {
				break;
			}
		}
		if (!isOneOf(i, ")")) {
			return UNKNOWN;
		}
		i++;
		while (isOneOf(i, "overriding", "system", "user") || (isOneOf(i, "value") && !isOneOf(i + 1, "("))) {
			i++;
		}
		return isOneOf(i, "values", "value") ? rows(i + 1, position, column) : UNKNOWN;
	}

	/**
	 * @param position of the column in each row, {@code -1} if it is left out
	 */
	private Values rows(int from, int position, FollowedColumn column) {
		List<Integer> parameters = new ArrayList<>();
		int defaults = 0;
		int rows = 0;
		int i = from;
		while (isOneOf(i, "(")) {
			List<Integer> row = expressions(i + 1);
			int end = row.get(row.size() - 1);
			if (position >= 0) {
				if (position + 1 >= row.size()) {
					return UNKNOWN;
				}
				int expression = row.get(position);
				boolean single = row.get(position + 1) == expression + 2;
				if (single && isOneOf(expression, "?")) {
					parameters.add(placeholdersBefore(expression));
				}
				else if (single && isOneOf(expression, "default", "null")) {
					defaults++;
				}
				else {
					return UNKNOWN;
				}
			}
			rows++;
			i = end;
			if (!isOneOf(i, ",")) {
				break;
			}
			i++;
		}
		if (rows == 0 || (defaults > 0 && defaults < rows) || setsAfter(i, column)) {
			return UNKNOWN;
		}
		return new Values((position < 0 || defaults > 0) ? Kind.DEFAULT : Kind.PARAMETERS, parameters,
				placeholdersBefore(this.tokens.size()));
	}

	/**
	 * Return where the expressions of a list begin, and behind its parenthesis, so that
	 * each is followed by one token more.
	 */
	private List<Integer> expressions(int from) {
		List<Integer> begins = new ArrayList<>(List.of(from));
		int depth = 1;
		for (int i = from; i < this.tokens.size(); i++) {
			if (isOneOf(i, "(", "[")) {
				depth++;
			}
			else if (isOneOf(i, ")", "]")) {
				depth--;
			}
			if (depth == 0 || (depth == 1 && isOneOf(i, ","))) {
				begins.add(i + 1);
			}
			if (depth == 0) {
				break;
			}
		}
		return begins;
	}

	/**
	 * Return whether an upsert may set the column to another value than the inserted one.
	 */
	private boolean setsAfter(int from, FollowedColumn column) {
		int update = find("update", from);
		for (int i = update; i < this.tokens.size(); i++) {
			if (column.isColumn(token(i)) && isOneOf(i + 1, "=") && !isOwnValue(i + 2, column)) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Return whether a row gets the value that was to be inserted, or keeps its own.
	 */
	private boolean isOwnValue(int i, FollowedColumn column) {
		boolean of = isOneOf(i, "values", "last_insert_id") && isOneOf(i + 1, "(") && isOneOf(i + 3, ")");
		int name = (of || isOneOf(i + 1, ".")) ? i + 2 : i;
		int end = of ? i + 4 : name + 1;
		return column.isColumn(token(name))
				&& (end >= this.tokens.size() || isOneOf(end, ",") || ENDS_OF_SET.contains(token(end)));
	}

	private Values set(int from, FollowedColumn column, Values untouched) {
		List<Integer> parameters = new ArrayList<>();
		int depth = 0;
		for (int i = from; i < this.tokens.size() && (depth > 0 || !ENDS_OF_SET.contains(token(i))); i++) {
			if (isOneOf(i, "(")) {
				depth++;
			}
			else if (isOneOf(i, ")")) {
				depth--;
			}
			if (column.isColumn(token(i)) && (isOneOf(i + 1, "=") || isOneOf(i + 1, ":"))) {
				boolean single = i + 3 >= this.tokens.size() || isOneOf(i + 3, ",")
						|| ENDS_OF_SET.contains(token(i + 3));
				if (depth > 0 || !isOneOf(i + 1, "=") || !isOneOf(i + 2, "?") || !single) {
					return UNKNOWN;
				}
				parameters.add(placeholdersBefore(i + 2));
			}
			else if (depth == 1 && column.isColumn(token(i)) && isTargetInParentheses(i)) {
				return UNKNOWN;
			}
		}
		return parameters.isEmpty() ? untouched
				: new Values(Kind.PARAMETERS, parameters, placeholdersBefore(this.tokens.size()));
	}

	/**
	 * Return whether a name is one of those that are set together, {@code (a, b) = …}.
	 */
	private boolean isTargetInParentheses(int from) {
		return isOneOf(find(")", from) + 1, "=");
	}

	private int find(String token, int from) {
		int i = from;
		while (i < this.tokens.size() && !isOneOf(i, token)) {
			i++;
		}
		return i;
	}

	private int placeholdersBefore(int end) {
		return (int) this.tokens.subList(0, end).stream().filter("?"::equals).count();
	}

	private boolean isName(int i) {
		return !token(i).isEmpty() && (Character.isLetter(token(i).charAt(0)) || token(i).charAt(0) == '_');
	}

	private boolean isOneOf(int i, String... tokens) {
		return List.of(tokens).contains(token(i));
	}

	private String token(int i) {
		return (i >= 0 && i < this.tokens.size()) ? this.tokens.get(i) : "";
	}

	/**
	 * What a statement does with one table.
	 */
	final class ToTable {

		private final List<Integer> written;

		private final boolean plain;

		private final boolean deleted;

		/**
		 * @param written where writing to it begins
		 * @param plain whether its columns have their own names there
		 * @param deleted whether its rows are deleted
		 */
		private ToTable(List<Integer> written, boolean plain, boolean deleted) {
			this.written = written;
			this.plain = plain;
			this.deleted = deleted;
		}

		boolean areDeletions() {
			return this.deleted && this.written.isEmpty();
		}

		boolean isNothing() {
			return this.written.isEmpty() && !this.deleted;
		}

		/**
		 * Return what is written to a column.
		 */
		Values to(FollowedColumn column) {
			if (this.written.isEmpty()) {
				return NOTHING;
			}
			if (SqlWrites.this.ambiguous || this.written.size() > 1) {
				return UNKNOWN;
			}
			int begin = this.written.get(0);
			int end = endOfName(begin + 1);
			return switch (token(begin)) {
				case "insert", "replace" -> (begin == 0) ? known(inserted(end, column)) : UNKNOWN;
				case "update" -> set(find("set", end), column, NOTHING);
				default -> UNKNOWN;
			};
		}

		/**
		 * What seems to be left out may have another name.
		 */
		private Values known(Values inserted) {
			return (this.plain || inserted.kind() != Kind.DEFAULT) ? inserted : UNKNOWN;
		}

		/**
		 * Return which rows an update changes, as far as it tells.
		 */
		Values changedBy(FollowedColumn column) {
			boolean update = isOneOf(0, "update") && this.written.equals(List.of(0));
			return (update && !SqlWrites.this.ambiguous) ? named(column) : NOTHING;
		}

		/**
		 * Return which rows are deleted, as far as it tells.
		 */
		Values deletedBy(FollowedColumn column) {
			return (this.deleted && !SqlWrites.this.ambiguous) ? named(column) : NOTHING;
		}

	}

	enum Kind {

		NOTHING,

		/**
		 * The column is left out.
		 */
		DEFAULT,

		PARAMETERS,

		UNKNOWN

	}

	/**
	 * What is written to a column.
	 *
	 * @param parameters the indexes of those that are the values
	 * @param placeholders how many there are in the statement
	 */
	record Values(Kind kind, List<Integer> parameters, int placeholders) {

	}

}
