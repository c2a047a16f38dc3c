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

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.bloomguard.logging.LogFields;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.hibernate.event.spi.PreUpsertEvent;
import org.hibernate.event.spi.PreUpsertEventListener;
import org.hibernate.resource.jdbc.spi.StatementInspector;

import org.springframework.core.log.LogMessage;

/**
 * Warns once for each table of a guarded entity if rows come into it by JPQL or SQL of
 * the application. It is the {@code statement_inspector} of a persistence unit.
 */
public final class UnseenInserts implements StatementInspector, PreUpsertEventListener {

	private static final long serialVersionUID = 1L;

	private static final Log logger = LogFactory.getLog(UnseenInserts.class);

	private static final String NAME = "(?:`[^`]+`|\"[^\"]+\"|\\[[^]]+]|[^\\s(`\"\\[.,;]+)";

	private static final String TABLE = "(" + NAME + "(?:\\s*\\.\\s*" + NAME + ")*)";

	private static final String INTO = "\\s+(?:(?:low_priority|delayed|high_priority|ignore)\\s+)*(?:into\\s+)?"
			+ TABLE;

	private static final Pattern PART = Pattern.compile(NAME);

	private static final Pattern BEGINNING = Pattern.compile(
			"(?:\\s|/\\*.*?\\*/|--[^\\n]*\\n|\\()*(?:insert|replace|load|with)\\s",
			Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

	private static final Pattern FILLED = Pattern.compile(
			"\\bload\\s+(?:data|xml)\\s.*?\\sinto\\s+table\\s+" + TABLE + "|\\breplace" + INTO + "|\\binsert" + INTO
					+ "(?:\\s+partition\\s*\\([^)]*\\))?(?:\\s+as\\s+" + NAME
					+ ")?\\s*(?:\\([^)]*\\))?(?:[\\s(]*(?:select|with|table|set)\\b|.*(\\son\\s+duplicate\\s+key\\s))",
			Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

	private final transient Map<List<String>, String> filters = new ConcurrentHashMap<>();

	/**
	 * Set while this thread is about to upsert a row of which a listener is told.
	 */
	private final transient ThreadLocal<Boolean> told = new ThreadLocal<>();

	void watch(String table, String filter) {
		this.filters.put(parts(table), filter);
	}

	@Override
	public boolean onPreUpsert(PreUpsertEvent event) {
		this.told.set(true);
		return false;
	}

	@Override
	public String inspect(String sql) {
		if (!this.filters.isEmpty() && BEGINNING.matcher(sql).lookingAt()) {
			boolean told = this.told.get() != null;
			this.told.remove();
			Matcher rows = FILLED.matcher(sql);
			while (rows.find()) {
				if (!told || rows.group(4) == null) {
					warnOnce(table(rows));
				}
			}
		}
		return sql;
	}

	private static String table(Matcher rows) {
		for (int group = 1; group <= 3; group++) {
			if (rows.group(group) != null) {
				return rows.group(group);
			}
		}
		throw new IllegalStateException(rows.toString());
	}

	private void warnOnce(String table) {
		List<String> parts = parts(table);
		for (List<String> watched : this.filters.keySet()) {
			int common = Math.min(watched.size(), parts.size());
			String filter = last(watched, common).equals(last(parts, common)) ? this.filters.remove(watched) : null;
			if (filter != null) {
				LogFields.withFilter(filter, () -> logger
					.warn(LogMessage.format("A statement in JPQL or SQL adds rows to the table %s, whose"
							+ " keys nobody tells the filter '%s'. Call BloomGuard.add with them before the commit,"
							+ " or set bloom-guard.filters.%s.catch-up.query", table, filter, filter)));
			}
		}
	}

	private static List<String> parts(String table) {
		return PART.matcher(table)
			.results()
			.map((part) -> part.group().strip())
			.map((part) -> "`\"[".indexOf(part.charAt(0)) >= 0 ? part.substring(1, part.length() - 1) : part)
			.map((part) -> part.toLowerCase(Locale.ROOT))
			.toList();
	}

	private static List<String> last(List<String> parts, int count) {
		return parts.subList(parts.size() - count, parts.size());
	}

}
