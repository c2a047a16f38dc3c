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

import java.util.List;
import java.util.stream.Stream;

/**
 * What the text of a statement, or of a routine or a trigger, tells of itself.
 *
 * @param names the names of what is called or written to
 * @param doesNothing whether it writes to no table and calls nothing
 */
record SqlStatement(SqlTokens tokens, SqlWrites writes, SqlCalls calls, List<String> names, boolean doesNothing) {

	static SqlStatement of(String sql) {
		return of(sql, false);
	}

	/**
	 * Return what the code of a routine or a trigger tells.
	 */
	static SqlStatement ofStored(String code) {
		return of(code, true);
	}

	private static SqlStatement of(String sql, boolean stored) {
		SqlTokens tokens = new SqlTokens(sql);
		SqlWrites writes = new SqlWrites(tokens, stored);
		SqlCalls calls = new SqlCalls(tokens);
		List<String> names = Stream.concat(writes.names(), calls.names()).distinct().toList();
		return new SqlStatement(tokens, writes, calls, names, names.isEmpty() && !calls.isCall() && !calls.isDynamic());
	}

}
