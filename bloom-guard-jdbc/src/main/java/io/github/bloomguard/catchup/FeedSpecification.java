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

package io.github.bloomguard.catchup;

import java.time.Duration;
import java.util.List;

import io.github.bloomguard.filter.FilterChecks;

/**
 * Which rows of a database's change log have the keys of a filter, and what an absent
 * answer waits for.
 *
 * @param keyColumns empty until the database tells those of the table
 * @param owner what tells filters of the same name apart that follow the same database
 * @param longestWait how long an absent answer waits for what was committed before the
 * call, zero if none waits
 * @param conditional whether other columns may decide which rows have keys
 * @param exclusive whether all keys of the filter come from the table, so that one whose
 * row is deleted is gone
 */
public record FeedSpecification(String filter, String owner, String table, List<String> keyColumns,
		Duration longestWait, boolean conditional, boolean exclusive) {

	public FeedSpecification {
		keyColumns = List.copyOf(keyColumns);
		FilterChecks checks = new FilterChecks(filter);
		checks.that(!table.isBlank(), "changes.enabled",
				"true, but " + checks.property("changes.table") + " is not set",
				"Set it to the table with the keys, such as product");
		checks.that(!longestWait.isNegative(), "changes.wait", longestWait,
				"Set it to the longest time that an absent answer may wait for the change log, such as 50ms, or to"
						+ " 0s to wait for nothing");
	}

	public FeedSpecification of(String table, List<String> keyColumns) {
		return new FeedSpecification(this.filter, this.owner, table, keyColumns, this.longestWait, this.conditional,
				this.exclusive);
	}

	public String property(String name) {
		return new FilterChecks(this.filter).property("changes." + name);
	}

}
