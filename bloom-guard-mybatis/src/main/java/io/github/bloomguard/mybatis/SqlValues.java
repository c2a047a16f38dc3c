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
import java.util.List;
import java.util.Set;

import io.github.bloomguard.mybatis.WrittenValues.Kind;

/**
 * The values of one column in a statement, as far as its text tells for certain: those
 * that are parameters of their own.
 */
final class SqlValues {

	private static final Set<String> ENDS_OF_SET = Set.of("where", "from", "order", "limit", "returning", "on", ";");

	private final SqlTokens tokens;

	private final FollowedColumn column;

	SqlValues(SqlTokens tokens, FollowedColumn column) {
		this.tokens = tokens;
		this.column = column;
	}

	/**
	 * Return those of an insert.
	 * @param from where the name of its table ends
	 */
	WrittenValues inserted(int from) {
		int i = from;
		while (this.tokens.isName(i)
				&& !this.tokens.is(i, "values", "value", "set", "select", "default", "overriding")) {
			i++;
		}
		if (this.tokens.is(i, "set")) {
			WrittenValues set = setsAfter(i) ? WrittenValues.UNKNOWN : set(i);
			return (set.kind() != Kind.NOTHING) ? set : WrittenValues.DEFAULT;
		}
		if (!this.tokens.is(i, "(")) {
			return WrittenValues.UNKNOWN;
		}
		int position = -1;
		int columns = 0;
		for (i++; this.tokens.isName(i); i++) {
			if (isColumn(i)) {
				position = columns;
			}
			columns++;
			if (!this.tokens.is(++i, ",")) {
				break;
			}
		}
		if (!this.tokens.is(i, ")")) {
			return WrittenValues.UNKNOWN;
		}
		i++;
		while (this.tokens.is(i, "overriding", "system", "user")
				|| (this.tokens.is(i, "value") && !this.tokens.is(i + 1, "("))) {
			i++;
		}
		return this.tokens.is(i, "values", "value") ? rows(i + 1, position) : WrittenValues.UNKNOWN;
	}

	/**
	 * @param position of the column in each row, {@code -1} if it is left out
	 */
	private WrittenValues rows(int from, int position) {
		List<Integer> parameters = new ArrayList<>();
		int defaults = 0;
		int rows = 0;
		int i = from;
		while (this.tokens.is(i, "(")) {
			List<Integer> row = expressions(i + 1);
			int end = row.get(row.size() - 1);
			if (position >= 0) {
				if (position + 1 >= row.size()) {
					return WrittenValues.UNKNOWN;
				}
				int expression = row.get(position);
				boolean single = row.get(position + 1) == expression + 2;
				if (single && this.tokens.is(expression, "?")) {
					parameters.add(this.tokens.parametersBefore(expression));
				}
				else if (single && this.tokens.is(expression, "default", "null")) {
					defaults++;
				}
				else {
					return WrittenValues.UNKNOWN;
				}
			}
			rows++;
			i = end;
			if (!this.tokens.is(i, ",")) {
				break;
			}
			i++;
		}
		if (rows == 0 || (defaults > 0 && defaults < rows) || setsAfter(i)) {
			return WrittenValues.UNKNOWN;
		}
		return (position < 0 || defaults > 0) ? WrittenValues.DEFAULT : parameters(parameters);
	}

	/**
	 * Return where the expressions of a list begin, and behind its parenthesis, so that
	 * each is followed by one token more.
	 */
	private List<Integer> expressions(int from) {
		List<Integer> begins = new ArrayList<>(List.of(from));
		int depth = 1;
		for (int i = from; i < this.tokens.size() && depth > 0; i++) {
			depth += depth(i, "(", "[") - depth(i, ")", "]");
			if (depth == 0 || (depth == 1 && this.tokens.is(i, ","))) {
				begins.add(i + 1);
			}
		}
		return begins;
	}

	private int depth(int i, String... parentheses) {
		return this.tokens.is(i, parentheses) ? 1 : 0;
	}

	/**
	 * Return whether an upsert may set the column to another value than the inserted one.
	 */
	private boolean setsAfter(int from) {
		int update = this.tokens.find("update", from);
		return this.tokens.any((i) -> i > update && isColumn(i)
				&& ((this.tokens.is(i + 1, "=") && !isOwnValue(i + 2)) || isTargetInParentheses(i)));
	}

	/**
	 * Return whether a row gets the value that was to be inserted, or keeps its own.
	 */
	private boolean isOwnValue(int i) {
		boolean of = this.tokens.is(i, "values", "last_insert_id") && this.tokens.is(i + 1, "(")
				&& this.tokens.is(i + 3, ")");
		int name = (of || this.tokens.is(i + 1, ".")) ? i + 2 : i;
		return isColumn(name) && isEndOfValue(of ? i + 4 : name + 1);
	}

	/**
	 * Return those of an update, nothing if it leaves the column as it is.
	 * @param from where they begin
	 */
	WrittenValues set(int from) {
		List<Integer> parameters = new ArrayList<>();
		int depth = 0;
		for (int i = from; i < this.tokens.size() && (depth > 0 || !isEndOfSet(i)); i++) {
			depth += depth(i, "(") - depth(i, ")");
			// Mappers of some libraries write id = id into each update.
			boolean kept = !this.tokens.is(i - 1, ".") && isColumn(i + 2) && isEndOfValue(i + 3);
			if (isColumn(i) && this.tokens.is(i + 1, "=", ":") && !kept) {
				if (depth > 0 || this.tokens.is(i + 1, ":") || !this.tokens.is(i + 2, "?") || !isEndOfValue(i + 3)) {
					return WrittenValues.UNKNOWN;
				}
				parameters.add(this.tokens.parametersBefore(i + 2));
			}
			else if (depth == 1 && isColumn(i) && isTargetInParentheses(i)) {
				return WrittenValues.UNKNOWN;
			}
		}
		return parameters.isEmpty() ? WrittenValues.NOTHING : parameters(parameters);
	}

	private boolean isEndOfValue(int i) {
		return i >= this.tokens.size() || this.tokens.is(i, ",") || isEndOfSet(i);
	}

	private boolean isEndOfSet(int i) {
		return ENDS_OF_SET.contains(this.tokens.get(i));
	}

	/**
	 * Return whether a name is one of those that are set together, {@code (a, b) = …}.
	 */
	private boolean isTargetInParentheses(int from) {
		return this.tokens.is(this.tokens.find(")", from) + 1, "=");
	}

	/**
	 * Return those that a condition names, nothing if it does not tell.
	 */
	WrittenValues named() {
		for (int i = this.tokens.find("where", 0); i < this.tokens.size(); i++) {
			if (isColumn(i) && this.tokens.is(i + 1, "=") && this.tokens.is(i + 2, "?")) {
				return parameters(List.of(this.tokens.parametersBefore(i + 2)));
			}
			if (isColumn(i) && this.tokens.is(i + 1, "in") && this.tokens.is(i + 2, "(")
					&& this.tokens.is(i + 3, "?")) {
				List<Integer> parameters = new ArrayList<>();
				for (int j = i + 3; this.tokens.is(j, "?"); j += 2) {
					parameters.add(this.tokens.parametersBefore(j));
				}
				return parameters(parameters);
			}
		}
		return WrittenValues.NOTHING;
	}

	private boolean isColumn(int i) {
		return this.column.isColumn(this.tokens.get(i));
	}

	private WrittenValues parameters(List<Integer> parameters) {
		return new WrittenValues(Kind.PARAMETERS, parameters, this.tokens.parametersBefore(this.tokens.size()));
	}

}
