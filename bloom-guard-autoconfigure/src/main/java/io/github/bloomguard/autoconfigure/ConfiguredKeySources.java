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

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import java.util.regex.Pattern;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.entity.EntityLibrary;
import io.github.bloomguard.filter.FilterChecks;
import io.github.bloomguard.jdbc.JdbcSources;
import io.github.bloomguard.jdbc.QuerySources;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.log.LogMessage;
import org.springframework.util.function.SingletonSupplier;

/**
 * The {@link KeySource} beans of a filter, its table, its entity and its query.
 */
final class ConfiguredKeySources implements KeySources {

	private static final Log logger = LogFactory.getLog(ConfiguredKeySources.class);

	private static final Pattern WRITES = Pattern
		.compile("(?i)\\s*(insert|update|delete|merge|replace|truncate|create|alter|drop|grant)\\b");

	private static final String READ_OTHERWISE = "spring-boot-starter-data-r2dbc with the driver of PostgreSQL, or"
			+ " declare a KeySource bean";

	private final Map<String, BloomGuardProperties.Filter> filters;

	/**
	 * The beans by the names of their filters.
	 */
	private final Supplier<Map<String, List<KeySource>>> beans;

	private final EntitySources entities;

	private final ObjectProvider<QuerySources> queries;

	ConfiguredKeySources(BloomGuardProperties properties, ObjectProvider<KeySource> beans, EntitySources entities,
			ObjectProvider<QuerySources> queries) {
		this.filters = properties.filters();
		this.beans = SingletonSupplier.of(() -> byFilter(beans));
		this.entities = entities;
		this.queries = queries;
	}

	@Override
	public List<KeySource> find(String name) {
		BloomGuardProperties.Filter filter = Objects.requireNonNull(this.filters.get(name));
		List<KeySource> beans = this.beans.get().getOrDefault(name, List.of());
		if (filter.owner() != null) {
			return beans;
		}
		FilterChecks checks = new FilterChecks(name);
		check(checks, filter);
		List<KeySource> sources = new ArrayList<>(beans);
		if (filter.text() != null && sources.isEmpty()) {
			throw checks.invalid("text",
					"'" + filter.text().name().toLowerCase(Locale.ROOT) + "', but the filter '" + name
							+ "' has no KeySource bean",
					"Remove it: for queries and entities the database is asked which texts are equal");
		}
		EntityKeys entity = filter.entityKeys(name);
		if (entity != null && this.entities.areExcluded(entity)) {
			logger.warn(LogMessage.format(
					"bloom-guard.filters.%s.entity is %s, but this context has no %s: the filter is not loaded here,"
							+ " and calls go through",
					name, entity.entity(), EntityLibrary.descriptions()));
			return List.of();
		}
		if (entity != null) {
			sources.add(this.entities.find(entity, filter.warmUp()));
		}
		if (filter.dataSource() != null && filter.entity() == null) {
			requireJdbc(this.queries, name, "data-source", "remove it");
		}
		if (filter.table() != null) {
			QuerySources queries = require(this.queries, name, "table", READ_OTHERWISE);
			sources.add(queries.keys(filter.table(name, filter.table(), queries), filter.warmUp()));
		}
		String query = filter.warmUp().query();
		if (query != null) {
			QuerySources queries = require(this.queries, name, "warm-up.query", READ_OTHERWISE);
			sources.add(queries.keys(name, filter.warmUp(), query));
			if (entity != null) {
				this.entities.checkQuery(entity, queries.columns(name, filter.warmUp(), query));
			}
		}
		if (sources.isEmpty() && filter.mode() != FilterMode.OFF) {
			throw new InvalidGuardException("The filter '" + name + "' has no source of keys",
					"Set bloom-guard.filters." + name + ".table to the table whose primary key it is, or"
							+ " bloom-guard.filters." + name
							+ ".entity to the class of an entity, or bloom-guard.filters." + name
							+ ".warm-up.query to a query that gives all keys, or declare a KeySource bean whose filter()"
							+ " is '" + name + "' (an empty stream if there are no rows yet)");
		}
		return sources;
	}

	private Map<String, List<KeySource>> byFilter(ObjectProvider<KeySource> beans) {
		Map<String, List<KeySource>> sources = new LinkedHashMap<>();
		beans.orderedStream()
			.forEach((source) -> sources.computeIfAbsent(filter(source), (name) -> new ArrayList<>()).add(source));
		sources.forEach((name, named) -> warnOfUnused(name, named.get(0)));
		return sources;
	}

	private String filter(KeySource source) {
		String filter = source.filter();
		if (filter == null) {
			throw new InvalidGuardException("filter() of the KeySource " + source.getClass().getName() + " is null",
					"Let it return one of " + this.filters.keySet());
		}
		return filter;
	}

	private void warnOfUnused(String filter, KeySource source) {
		if (!this.filters.containsKey(filter)) {
			logger.warn(LogMessage.format(
					"The KeySource %s has the keys of the filter '%s', which is not configured. Let its filter() return"
							+ " one of %s, or configure bloom-guard.filters.%2$s",
					source.getClass().getName(), filter, this.filters.keySet()));
		}
	}

	private static void check(FilterChecks checks, BloomGuardProperties.Filter filter) {
		BloomGuardProperties.WarmUp warmUp = filter.warmUp();
		checkQuery(checks, "warm-up.query", warmUp.query());
		checkQuery(checks, "warm-up.count-query", warmUp.countQuery());
		checkQuery(checks, "catch-up.query", filter.catchUp().query());
		checkQuery(checks, "catch-up.start", filter.catchUp().start());
		checks.that(filter.attribute() == null || filter.entity() != null, "attribute",
				filter.attribute() + ", but " + checks.property("entity") + " is not set",
				"Set the entity to the class that has the attribute, or remove the attribute");
		checks.that(filter.table() == null || filter.entity() == null, "table",
				filter.table() + ", and " + checks.property("entity") + " is " + filter.entity(),
				"Remove the table, which the mapping of the entity tells, or the entity");
		checks.that(filter.keyColumns().isEmpty() || filter.table() != null, "key-columns",
				filter.keyColumns() + ", but " + checks.property("table") + " is not set",
				"Set the table to the one that has the columns, or remove them");
		checks.that(
				filter.dataSource() == null || filter.entity() != null || filter.table() != null
						|| warmUp.query() != null || filter.catchUp().query() != null,
				"data-source", "'" + filter.dataSource() + "', but nothing is read from it",
				"Remove it, or set " + checks.property("table") + " or " + checks.property("warm-up.query"));
		checks.that(warmUp.fetchSize() >= 1, "warm-up.fetch-size", warmUp.fetchSize(),
				"Set it to the number of rows to fetch at a time, such as 10000; without one, a driver may read"
						+ " all rows into memory");
		Integer partitions = warmUp.partitions();
		checks.that(partitions == null || partitions >= 1, "warm-up.partitions", partitions,
				"Set it to the number of key ranges to read at the same time, or to 1 to read all keys with one"
						+ " query");
		checks.that(
				partitions == null || partitions == 1 || warmUp.query() != null || filter.entity() != null
						|| filter.table() != null,
				"warm-up.partitions", partitions + ", but " + checks.property("warm-up.query") + " is not set",
				"Remove it, or set the query to one for a range of keys, such as"
						+ " 'select id from product where id between :from and :to'");
	}

	private static void checkQuery(FilterChecks checks, String property, @Nullable String query) {
		checks.that(query == null || !(query.isBlank() || WRITES.matcher(query).lookingAt()), property,
				"'" + query + "', which reads nothing",
				"Write a query, such as 'select id from product', or remove it");
	}

	static QuerySources require(ObjectProvider<QuerySources> queries, String name, String property,
			String alternative) {
		QuerySources sources = queries.getIfAvailable();
		if (sources == null) {
			throw new FilterChecks(name).invalid(property, "set, but there is no JDBC",
					"Add spring-boot-starter-jdbc, or " + alternative);
		}
		return sources;
	}

	/**
	 * @throws InvalidGuardException if the database is not reached through JDBC
	 */
	static JdbcSources requireJdbc(ObjectProvider<QuerySources> queries, String name, String property,
			String alternative) {
		if (require(queries, name, property, alternative) instanceof JdbcSources sources) {
			return sources;
		}
		throw new FilterChecks(name).invalid(property,
				"set, which needs JDBC, but there is a ConnectionFactory and no DataSource",
				"Declare a DataSource with @BloomGuardDataSource, or " + alternative);
	}

}
