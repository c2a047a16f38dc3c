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

import org.springframework.util.ConcurrentLruCache;

/**
 * The statements that sessions execute again and again, so that each text is read once.
 */
final class KnownStatements {

	private static final int MOST = 256;

	/**
	 * In characters.
	 */
	private static final int LONGEST = 4_000;

	private final ConcurrentLruCache<String, SqlStatement> known = new ConcurrentLruCache<>(MOST, SqlStatement::of);

	SqlStatement get(String sql) {
		return (sql.length() <= LONGEST) ? this.known.get(sql) : SqlStatement.of(sql);
	}

}
