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

import io.github.bloomguard.jdbc.StoredCode.Code;

/**
 * What a statement has the database run: routines that it calls, triggers of tables that
 * it writes to, and what these call and write to.
 */
final class CalledCode {

	private final SqlWrites statement;

	private final List<SqlWrites> texts;

	private final boolean complete;

	private CalledCode(SqlWrites statement, List<SqlWrites> texts, boolean complete) {
		this.statement = statement;
		this.texts = texts;
		this.complete = complete;
	}

	/**
	 * @param stored gives the code of a name
	 */
	static CalledCode of(SqlWrites statement, Function<String, Code> stored) {
		List<SqlWrites> texts = new ArrayList<>();
		Set<String> known = new HashSet<>();
		boolean complete = !statement.isDynamic();
		Deque<SqlWrites> next = new ArrayDeque<>(List.of(statement));
		while (!next.isEmpty()) {
			for (String name : next.remove().names()) {
				Code code = known.add(name) ? stored.apply(name) : new Code(List.of(), true);
				complete &= code.complete();
				for (String text : code.texts()) {
					SqlWrites called = SqlWrites.inStored(text);
					complete &= !called.isDynamic();
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
		return (!this.complete && this.statement.isCall())
				|| this.texts.stream().anyMatch((text) -> text.mayWrite(key, related));
	}

}
