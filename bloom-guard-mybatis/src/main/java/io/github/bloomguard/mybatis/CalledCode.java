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

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

import io.github.bloomguard.catalogue.StoredCode.Code;

/**
 * What a statement has the database run: routines that it calls, triggers of tables that
 * it writes to, and what these call and write to.
 */
final class CalledCode {

	private final SqlStatement statement;

	private final List<SqlStatement> texts;

	private final boolean complete;

	private CalledCode(SqlStatement statement, List<SqlStatement> texts, boolean complete) {
		this.statement = statement;
		this.texts = texts;
		this.complete = complete;
	}

	/**
	 * @param stored gives the code of a name
	 */
	static CalledCode of(SqlStatement statement, Function<String, Code> stored) {
		List<SqlStatement> texts = new ArrayList<>();
		Set<String> known = new HashSet<>();
		boolean complete = !statement.calls().isDynamic();
		Deque<SqlStatement> next = new ArrayDeque<>(List.of(statement));
		while (!next.isEmpty()) {
			for (String name : next.remove().names()) {
				Code code = known.add(name) ? stored.apply(name) : Code.NONE;
				complete &= code.complete();
				for (String text : code.texts()) {
					SqlStatement called = SqlStatement.ofStored(text);
					complete &= !called.calls().isDynamic();
					texts.add(called);
					next.add(called);
				}
			}
		}
		return new CalledCode(statement, texts, complete);
	}

	/**
	 * Return whether it may write keys: nothing tells which. A call is there to write
	 * something; functions and triggers that can't be read seldom are.
	 */
	boolean mayWrite(FollowedKey key, Function<String, Map<String, Boolean>> related) {
		return (!this.complete && this.statement.calls().isCall())
				|| this.texts.stream().anyMatch((text) -> mayWrite(text, key, related));
	}

	/**
	 * A text that the database has stored has no parameters that tell keys.
	 */
	private static boolean mayWrite(SqlStatement text, FollowedKey key,
			Function<String, Map<String, Boolean>> related) {
		if (text.calls().isDynamic() && text.tokens().mention(key.tableName())) {
			return true;
		}
		TableWrites writes = text.writes().to(key, related);
		List<FollowedColumn> columns = key.columns();
		return columns.isEmpty() ? !writes.isNothing()
				: columns.stream().anyMatch((column) -> writes.to(column).kind() != WrittenValues.Kind.NOTHING);
	}

}
