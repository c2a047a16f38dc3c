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
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.catchup.ChangeLog;
import io.github.bloomguard.catchup.ChangeLogs;
import io.github.bloomguard.catchup.FeedSpecification;
import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.entity.EntityRows;
import io.github.bloomguard.filter.FilterChecks;
import io.github.bloomguard.jdbc.JdbcSources;
import io.github.bloomguard.jdbc.KeyTable;
import io.github.bloomguard.jdbc.QuerySources;
import io.github.bloomguard.logging.LogText;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.jdbc.core.ConnectionCallback;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Finds the change logs that filters follow, as those of the application {@code owner}.
 */
record ChangeFeeds(String owner, ObjectProvider<ChangeLogs> logs, ObjectProvider<QuerySources> queries,
		ObjectProvider<JdbcDatabases> databases, EntitySources entities) {

	/**
	 * @param alone whether what is configured is the only source of keys
	 * @param polled whether a query finds the rows of others, too
	 */
	@Nullable FeedSpecification specification(String name, BloomGuardProperties.Filter filter, boolean alone, boolean polled) {
		BloomGuardProperties.Changes changes = filter.changes();
		EntityKeys entity = filter.entityKeys(name);
		if (!filter.changes().enabled() || (entity != null && this.entities.areExcluded(entity))) {
			return null;
		}
		FilterChecks checks = new FilterChecks(name);
		checks.that(!polled, "changes.enabled", "true, and " + checks.property("catch-up.query") + " is set",
				"Remove the query: the change log has all rows, and has them earlier");
		if (filter.table() != null) {
			return ofTable(name, filter.table(), filter, alone);
		}
		if (entity == null) {
			String table = Objects.requireNonNullElse(changes.table(), "");
			FollowedQuery query = FollowedQuery.of(filter.warmUp().query());
			FeedSpecification specification = new FeedSpecification(name, this.owner, table, changes.keyColumns(),
					changes.longestWait(), query.isConditional(), alone && query.isGiven());
			checks.that(!changes.keyColumns().isEmpty(), "changes.enabled",
					"true, but " + checks.property("changes.key-columns") + " is not set",
					"Set it to the columns of the key in the order of warm-up.query, such as id");
			query.check(specification);
			return specification;
		}
		EntityRows rows = this.entities.rows(entity);
		return new FeedSpecification(name, this.owner, rows.table(changes.table()), rows.columns(changes.keyColumns()),
				changes.longestWait(), false, alone && changes.table() == null && filter.warmUp().query() == null);
	}

	private FeedSpecification ofTable(String name, String table, BloomGuardProperties.Filter filter, boolean alone) {
		BloomGuardProperties.Changes changes = filter.changes();
		FeedSpecification specification = new FeedSpecification(name, this.owner, table, filter.keyColumns(),
				changes.longestWait(), false, alone);
		new FilterChecks(name).that(changes.table() == null && changes.keyColumns().isEmpty(), "table",
				"set, and " + specification.property((changes.table() != null) ? "table" : "key-columns") + ", too",
				"Remove the latter: the log of the table is followed, for the same columns");
		return specification;
	}

	/**
	 * Return what opens the log, as soon as there is a database that tells where the
	 * application finds the table.
	 */
	Supplier<ChangeLog> log(FeedSpecification specification, BloomGuardProperties.Filter filter) {
		JdbcSources queries = ConfiguredKeySources.requireJdbc(this.queries, specification.filter(), "changes.enabled",
				"set it to false");
		EntityKeys entity = filter.entityKeys(specification.filter());
		DataSource application = (entity != null) ? this.entities.dataSource(entity)
				: queries.dataSource(specification.filter(), filter.warmUp());
		JdbcDatabases.Address database = this.databases.getObject().address(application);
		ChangeLogs logs = this.logs.orderedStream()
			.filter((candidate) -> candidate.support(database.url()))
			.findFirst()
			.orElseThrow(() -> new InvalidGuardException(
					specification.property("enabled") + " is true, but nothing follows the change log of "
							+ LogText.server(database.url()),
					"Add the dependency io.github.bloomguard:bloom-guard-changes, which follows PostgreSQL, and for MySQL"
							+ " and MariaDB com.zendesk:mysql-binlog-connector-java, too; for another database, declare"
							+ " a bean of type ChangeLogs or set catch-up.query instead"));
		Supplier<FeedSpecification> found = (filter.table() != null)
				? found(specification, filter.table(specification.filter(), filter.table(), queries))
				: () -> specification;
		return () -> logs.open(named(logs, application, found.get()), database.url(), database.credentials());
	}

	private static Supplier<FeedSpecification> found(FeedSpecification specification, KeyTable table) {
		return () -> {
			KeyTable.Found found = table.find();
			return specification.of(found.name(), found.keyColumns());
		};
	}

	private static FeedSpecification named(ChangeLogs logs, DataSource application, FeedSpecification specification) {
		ConnectionCallback<String> query = (connection) -> {
			String name = logs.fullName(connection, specification.table());
			if (name == null) {
				throw new InvalidGuardException(
						specification.property("table") + " is '" + specification.table()
								+ "', and there is no table of that name",
						"Write the table with its schema, such as public.product");
			}
			return name;
		};
		return specification.of(Objects.requireNonNull(new JdbcTemplate(application).execute(query)),
				specification.keyColumns());
	}

	/**
	 * Release the logs that no filter follows any more, and return whether none is left.
	 */
	boolean dropForgotten(BloomGuardProperties properties) {
		JdbcDatabases databases = this.databases.getIfAvailable();
		if (databases == null) {
			return true;
		}
		List<String> followed = properties.filters()
			.entrySet()
			.stream()
			.filter((filter) -> filter.getValue().changes().enabled() && filter.getValue().mode() != FilterMode.OFF)
			.map(Map.Entry::getKey)
			.toList();
		return databases.addresses(this.entities.dataSources())
			.map((database) -> this.logs.orderedStream()
				.filter((candidate) -> candidate.support(database.url()))
				.allMatch(
						(candidate) -> candidate.retain(this.owner, followed, database.url(), database.credentials())))
			.reduce(true, Boolean::logicalAnd);
	}

}
