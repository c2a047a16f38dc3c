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

package io.github.bloomguard.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.catchup.CatchUpSpecification;
import io.github.bloomguard.catchup.ChangeLog;
import io.github.bloomguard.catchup.ChangeLogs;
import io.github.bloomguard.catchup.FeedSpecification;
import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.entity.EntityRows;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Finds the change logs that filters follow, as those of the application {@code owner}.
 */
record ChangeFeeds(String owner, ObjectProvider<ChangeLogs> logs, ObjectProvider<QuerySources> queries,
		EntitySources entities) {

	/**
	 * A query that reads one table and nothing else.
	 */
	private static final Pattern SIMPLE = Pattern.compile(
			"\\s*select\\s+[^()]+?\\s+from\\s+([\\w.]+)(\\s+where\\b(?!.*\\bunion\\b).*)?\\s*;?\\s*",
			Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

	/**
	 * @param alone whether what is configured is the only source of keys
	 */
	@Nullable FeedSpecification specification(String name, BloomGuardProperties.Filter filter, boolean alone) {
		BloomGuardProperties.Changes changes = filter.changes();
		EntityKeys entity = filter.entityKeys(name);
		if (!isFollowing(filter) || (entity != null && this.entities.areExcluded(entity))) {
			return null;
		}
		if (CatchUpSpecification.of(name, filter.catchUp().query(), filter.catchUp().start(),
				filter.catchUp().interval()) != null) {
			throw new InvalidGuardException(
					"bloom-guard.filters." + name + ".changes.enabled is true, and bloom-guard.filters." + name
							+ ".catch-up.query is set",
					"Remove the query: the change log has all rows, and has them earlier");
		}
		if (entity == null) {
			String table = Objects.requireNonNullElse(changes.table(), "");
			return new FeedSpecification(name, this.owner, table, changes.keyColumns(), changes.longestWait(),
					alone && isReadFrom(table, filter.warmUp().query()));
		}
		EntityRows rows = this.entities.rows(entity);
		return new FeedSpecification(name, this.owner, rows.table(changes.table()), rows.columns(changes.keyColumns()),
				changes.longestWait(), alone && changes.table() == null && filter.warmUp().query() == null);
	}

	private static boolean isFollowing(BloomGuardProperties.Filter filter) {
		return filter.changes().enabled() && filter.mode() != FilterMode.OFF;
	}

	private static boolean isReadFrom(String table, @Nullable String query) {
		Matcher simple = SIMPLE.matcher(Objects.requireNonNullElse(query, ""));
		return simple.matches() && simple.group(1).equalsIgnoreCase(table);
	}

	ChangeLog log(FeedSpecification specification, BloomGuardProperties.Filter filter) {
		QuerySources queries = ConfiguredKeySources.require(this.queries, specification.filter(), "changes.enabled",
				"set it to false");
		EntityKeys entity = filter.entityKeys(specification.filter());
		QuerySources.Address database = (entity != null) ? queries.address(this.entities.dataSource(entity))
				: queries.address(specification.filter(), filter.warmUp());
		return this.logs.orderedStream()
			.filter((candidate) -> candidate.support(database.url()))
			.findFirst()
			.orElseThrow(() -> new InvalidGuardException(
					specification.property("enabled") + " is true, but nothing follows the change log of "
							+ database.url().replaceFirst("[?;].*", ""),
					"Add the dependency io.github.bloomguard:bloom-guard-changes, which follows PostgreSQL, and for MySQL"
							+ " and MariaDB com.zendesk:mysql-binlog-connector-java, too; for another database, declare"
							+ " a bean of type ChangeLogs or set catch-up.query instead"))
			.open(specification, database.url(), database.credentials());
	}

	/**
	 * Release the logs that no filter follows any more, and return whether none is left.
	 */
	boolean dropForgotten(BloomGuardProperties properties) {
		QuerySources queries = this.queries.getIfAvailable();
		if (queries == null) {
			return true;
		}
		List<String> followed = properties.filters()
			.entrySet()
			.stream()
			.filter((filter) -> isFollowing(filter.getValue()))
			.map(Map.Entry::getKey)
			.toList();
		return queries.addresses(this.entities.dataSources(properties.entities()))
			.map((database) -> this.logs.orderedStream()
				.filter((candidate) -> candidate.support(database.url()))
				.allMatch(
						(candidate) -> candidate.retain(this.owner, followed, database.url(), database.credentials())))
			.reduce(true, Boolean::logicalAnd);
	}

}
