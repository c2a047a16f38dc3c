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

import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * What a statement calls.
 */
record SqlCalls(SqlTokens tokens) {

	private static final Set<String> CALLS = Set.of("call", "exec", "execute", "do", "begin", "declare");

	/**
	 * What is followed by a parenthesis in most queries.
	 */
	private static final Set<String> NO_ROUTINES = Set.of("in", "values", "value", "and", "or", "not", "on", "as",
			"using", "exists", "any", "some", "all", "over", "by", "when", "then", "else", "from", "where", "select",
			"join", "union", "count", "sum", "min", "max", "avg", "coalesce", "ifnull", "nullif", "lower", "upper",
			"trim", "concat", "substring", "length", "cast", "now", "row", "varchar", "char", "decimal", "numeric");

	/**
	 * Return whether it is a call, and not only has one.
	 */
	boolean isCall() {
		return this.tokens.any((i) -> CALLS.contains(this.tokens.get(i)) && isStatement(i));
	}

	private boolean isStatement(int i) {
		return this.tokens.begins(i) || this.tokens.is(i, "call");
	}

	/**
	 * Return whether it makes statements of texts.
	 */
	boolean isDynamic() {
		return this.tokens.any((i) -> this.tokens.is(i, "execute", "prepare"));
	}

	/**
	 * Return the names of what is called.
	 */
	Stream<String> names() {
		return IntStream.range(0, this.tokens.size())
			.boxed()
			.flatMap((i) -> Stream.of(function(i), routine(i)))
			.filter((name) -> !name.isEmpty());
	}

	private String function(int i) {
		boolean called = this.tokens.isName(i) && this.tokens.is(i + 1, "(");
		return (called && !NO_ROUTINES.contains(this.tokens.get(i))) ? this.tokens.get(i) : "";
	}

	private String routine(int i) {
		return this.tokens.is(i, "call", "exec", "execute") ? this.tokens.get(this.tokens.endOfName(i + 1) - 1) : "";
	}

}
