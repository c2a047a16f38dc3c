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

import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.entity.ConfiguredRows;
import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.entity.EntityLibrary;
import io.github.bloomguard.entity.EntityMappings;
import io.github.bloomguard.entity.EntityRows;
import io.github.bloomguard.entity.MappedEntities;
import io.github.bloomguard.filter.FilterChecks;
import io.github.bloomguard.jdbc.KeyReading;
import io.github.bloomguard.jdbc.KeyTable;
import io.github.bloomguard.jdbc.NamedDataSources;
import io.github.bloomguard.jdbc.QueryColumns;
import io.github.bloomguard.jdbc.QuerySources;
import io.github.bloomguard.jdbc.RoutingCheck;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.util.ClassUtils;

/**
 * Finds the entity that a filter names among those that are mapped.
 */
record EntitySources(BloomGuardProperties properties, ObjectProvider<EntityMappings> mappings,
		ObjectProvider<QuerySources> queries, ObjectProvider<NamedDataSources> named) implements ConfiguredRows {

	/**
	 * Return whether the context has no mapping at all, although there is what could map
	 * the entity, as in a test that excludes persistence.
	 */
	boolean areExcluded(EntityKeys keys) {
		return this.mappings.stream().findAny().isPresent() && all().findAny().isEmpty()
				&& ClassUtils.isPresent(keys.entity(), null);
	}

	KeySource find(EntityKeys keys, KeyReading reading) {
		LocatedEntity located = located(keys);
		RoutingCheck.check(keys.filter(), reading, located.dataSource(), keys::invalid);
		return located.source(keys, reading);
	}

	private LocatedEntity located(EntityKeys keys) {
		return new LocatedEntity(mapping(keys), named(keys.filter()));
	}

	private @Nullable DataSource named(String filter) {
		return this.named.stream()
			.map((dataSources) -> dataSources.find(filter))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

	EntityRows rows(EntityKeys keys) {
		return mapping(keys).rows(keys);
	}

	@Override
	public List<EntityKeys> entities() {
		return this.properties.entities();
	}

	@Override
	public boolean areThere() {
		return this.properties.areOfRows();
	}

	@Override
	public Stream<EntityRows> of(EntityKeys keys) {
		return all().filter((mapping) -> mapping.contains(keys.entity()))
			.filter((mapping) -> mapping.dataSource() != null)
			.map((mapping) -> mapping.rows(keys));
	}

	@Override
	public Stream<KeyTable> ofTables() {
		return this.properties.filters()
			.entrySet()
			.stream()
			.flatMap((filter) -> Stream.ofNullable(filter.getValue().table())
				.map((table) -> filter.getValue().table(filter.getKey(), table, this.queries.getObject())));
	}

	/**
	 * @throws InvalidGuardException if the mapping does not tell
	 */
	DataSource dataSource(EntityKeys keys) {
		DataSource dataSource = located(keys).dataSource();
		if (dataSource == null) {
			throw keys.invalid("whose persistence unit has no DataSource, so changes.enabled has no log to follow",
					"Give the persistence unit a DataSource, or set changes.enabled to false");
		}
		return dataSource;
	}

	/**
	 * Return all databases that a filter of an entity may have followed: those of its
	 * mapping, and those that filters name.
	 */
	Stream<DataSource> dataSources() {
		Stream<DataSource> mapped = all()
			.filter((mapping) -> entities().stream().anyMatch((keys) -> mapping.contains(keys.entity())))
			.map(MappedEntities::dataSource)
			.flatMap(Stream::ofNullable);
		return Stream.concat(mapped,
				this.properties.filters().keySet().stream().map(this::named).flatMap(Stream::ofNullable));
	}

	boolean haveTenants() {
		return all().anyMatch(MappedEntities::haveTenants);
	}

	/**
	 * Refuse a table of which each tenant has one.
	 */
	void checkTable(String filter) {
		all().filter(MappedEntities::haveTablesOfTenants).findFirst().ifPresent((tenants) -> {
			throw new FilterChecks(filter).invalid("table",
					"set, but " + tenants.description() + " has tenants with tables of their own",
					"Use warm-up.query or a KeySource bean for the keys of all tenants, and @BloomAdd; if they share this"
							+ " table, set bloom-guard.filters." + filter
							+ ".warm-up.allow-routing-data-source to true");
		});
	}

	void checkQuery(EntityKeys keys, @Nullable QueryColumns columns) {
		if (columns != null) {
			keys.checkQuery(mapping(keys).type(keys), columns);
		}
	}

	private MappedEntities mapping(EntityKeys keys) {
		List<MappedEntities> all = all().toList();
		List<MappedEntities> mapped = all.stream().filter((mapping) -> mapping.contains(keys.entity())).toList();
		Optional<EntityLibrary> library = EntityLibrary.of(keys.entity());
		if (all.isEmpty()) {
			throw keys.invalid(
					"but there is no " + library.map(EntityLibrary::toString).orElseGet(EntityLibrary::descriptions),
					library.map(EntityLibrary::remedy).orElseGet(EntityLibrary::remedies));
		}
		if (mapped.isEmpty()) {
			throw keys.invalid("which is not mapped by " + descriptions(all),
					library.filter((missing) -> !missing.isPresent())
						.map(EntityLibrary::remedy)
						.orElseGet(() -> "Write one of the entities " + names(all)
								+ ", or add @EntityScan for the package of the entity"));
		}
		if (mapped.size() > 1) {
			throw keys.invalid("which is mapped by " + descriptions(mapped),
					"Let one of them map it, of several MongoTemplates or JdbcConverters the @Primary one, or remove"
							+ " the entity, and use warm-up.query or a KeySource bean, and @BloomAdd");
		}
		return mapped.get(0);
	}

	private Stream<MappedEntities> all() {
		return this.mappings.orderedStream().flatMap(EntityMappings::all);
	}

	private static String descriptions(List<MappedEntities> mappings) {
		return mappings.stream().map(MappedEntities::description).collect(Collectors.joining(" and "));
	}

	private static List<String> names(List<MappedEntities> mappings) {
		return mappings.stream().map(MappedEntities::names).flatMap(Collection::stream).distinct().sorted().toList();
	}

	/**
	 * An entity with the database that has its rows, which is the one that the filter
	 * names, and otherwise that of the mapping.
	 */
	private record LocatedEntity(MappedEntities mapping, @Nullable DataSource named) {

		@Nullable DataSource dataSource() {
			return (this.named != null) ? this.named : this.mapping.dataSource();
		}

		KeySource source(EntityKeys keys, KeyReading reading) {
			return (this.named != null)
					? this.mapping.source(keys, this.named, reading.fetchSize(), reading.partitions(),
							reading.rowSecurity())
					: this.mapping.source(keys, reading.fetchSize(), reading.partitions(), reading.rowSecurity());
		}

	}

}
