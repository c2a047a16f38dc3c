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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What a statement does with one table. Of a text that databases read differently, no
 * value is known.
 */
final class TableWrites {

	private final SqlTokens tokens;

	private final List<Integer> written;

	private final boolean deleted;

	private final Map<FollowedColumn, WrittenValues> values = new ConcurrentHashMap<>();

	/**
	 * @param written where writing to it begins
	 * @param deleted whether its rows are deleted
	 */
	TableWrites(SqlTokens tokens, List<Integer> written, boolean deleted) {
		this.tokens = tokens;
		this.written = written;
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
	WrittenValues to(FollowedColumn column) {
		return this.values.computeIfAbsent(column, this::read);
	}

	private WrittenValues read(FollowedColumn column) {
		if (this.written.isEmpty()) {
			return WrittenValues.NOTHING;
		}
		if (this.tokens.areAmbiguous() || this.written.size() > 1) {
			return WrittenValues.UNKNOWN;
		}
		int begin = this.written.get(0);
		int end = this.tokens.endOfName(begin + 1);
		SqlValues values = new SqlValues(this.tokens, column);
		return switch (this.tokens.get(begin)) {
			case "insert", "replace" -> (begin == 0) ? values.inserted(end) : WrittenValues.UNKNOWN;
			case "update" -> values.set(this.tokens.find("set", end));
			default -> WrittenValues.UNKNOWN;
		};
	}

	/**
	 * Return which rows an update changes, as far as it tells.
	 */
	WrittenValues changedBy(FollowedColumn column) {
		return named(column, this.tokens.is(0, "update") && this.written.equals(List.of(0)));
	}

	/**
	 * Return which rows are deleted, as far as it tells.
	 */
	WrittenValues deletedBy(FollowedColumn column) {
		return named(column, this.deleted);
	}

	private WrittenValues named(FollowedColumn column, boolean told) {
		return (told && !this.tokens.areAmbiguous()) ? new SqlValues(this.tokens, column).named()
				: WrittenValues.NOTHING;
	}

}
