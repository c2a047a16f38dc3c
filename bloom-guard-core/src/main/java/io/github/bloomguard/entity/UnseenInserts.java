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

package io.github.bloomguard.entity;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.hibernate.resource.jdbc.spi.StatementInspector;

import org.springframework.core.log.LogMessage;

/**
 * Warns once for each table of an entity that has a filter if rows come into it by an
 * {@code insert … select}, in JPQL or SQL: Hibernate tells nobody of such rows. It is the
 * {@code hibernate.session_factory.statement_inspector} of a persistence unit.
 *
 * @since 1.0.0
 */
public final class UnseenInserts implements StatementInspector {

	private static final long serialVersionUID = 1L;

	private static final Log logger = LogFactory.getLog(UnseenInserts.class);

	private static final Pattern INSERT_SELECT = Pattern.compile(
			"\\binsert\\s+into\\s+([^\\s(]+)(?:\\s+as\\s+[^\\s(]+)?\\s*(?:\\([^)]*\\))?[\\s(]*(?:select|with)\\b",
			Pattern.CASE_INSENSITIVE);

	private final transient Map<String, String> filters = new ConcurrentHashMap<>();

	/**
	 * Watch what is inserted into a table.
	 * @param table how the table is called in SQL
	 * @param filter the filter that has to have a key of each row
	 */
	void watch(String table, String filter) {
		this.filters.put(table, filter);
	}

	@Override
	public String inspect(String sql) {
		if (!this.filters.isEmpty() && (begins(sql, "insert") || begins(sql, "with"))) {
			Matcher insert = INSERT_SELECT.matcher(sql);
			while (insert.find()) {
				warnOnce(insert.group(1));
			}
		}
		return sql;
	}

	private static boolean begins(String sql, String word) {
		return sql.regionMatches(true, 0, word, 0, word.length());
	}

	private void warnOnce(String table) {
		String filter = this.filters.remove(table);
		if (filter != null) {
			logger.warn(LogMessage
				.format("An 'insert … select' adds rows to the table %s, whose keys nobody tells the filter '%s'. Call"
						+ " BloomGuard.add with them before the commit, or set bloom-guard.filters.%s.catch-up.query",
						table, filter, filter));
		}
	}

}
