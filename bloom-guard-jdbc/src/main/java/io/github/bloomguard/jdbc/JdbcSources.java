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

package io.github.bloomguard.jdbc;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import io.github.bloomguard.KeySource;
import io.github.bloomguard.call.AskedKey;
import io.github.bloomguard.catchup.CatchUpSource;
import io.github.bloomguard.catchup.CatchUpSpecification;
import io.github.bloomguard.filter.FilterChecks;
import io.github.bloomguard.filter.KeyFormat;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.dao.DataAccessException;

/**
 * Makes sources of keys that are read through JDBC.
 *
 * @param dataSources those of the application
 * @param own the one that keys are read from, if that is another one
 * @param named those that filters name
 */
public record JdbcSources(ObjectProvider<DataSource> dataSources, ObjectProvider<DataSource> own,
		NamedDataSources named, SpareConnections spare, ObjectProvider<TableAdds> adds, List<JdbcKeySource> used,
		List<JdbcCatchUpSource> polled, Map<String, KeyTable> tables) implements QuerySources {

	public JdbcSources(ObjectProvider<DataSource> dataSources, ObjectProvider<DataSource> own, NamedDataSources named,
			SpareConnections spare, ObjectProvider<TableAdds> adds) {
		this(dataSources, own, named, spare, adds, new CopyOnWriteArrayList<>(), new CopyOnWriteArrayList<>(),
				new ConcurrentHashMap<>());
	}

	/**
	 * The application finds the table: who reads it may have another schema.
	 */
	@Override
	public KeyTable table(String filter, String table, List<String> keyColumns, KeyReading reading) {
		return this.tables.computeIfAbsent(filter, (name) -> {
			DataSource reader = readerOfTable(filter, reading);
			DataSource named = this.named.find(filter);
			return new KeyTable(filter, table, keyColumns,
					(named != null) ? named : this.dataSources.getIfUnique(() -> reader));
		});
	}

	@Override
	public KeySource keys(KeyTable table, KeyReading reading) {
		JdbcKeySource source = new TableKeySource(table, readerOfTable(table.filter(), reading), reading.fetchSize(),
				reading.partitions(), reading.rowSecurity(), this.spare,
				() -> this.adds.orderedStream().map(TableAdds::doubt).flatMap(Optional::stream).findFirst());
		this.used.add(source);
		return source;
	}

	private DataSource readerOfTable(String filter, KeyReading reading) {
		return dataSource(filter, reading, "table", "declare a KeySource bean");
	}

	@Override
	public KeySource keys(String filter, KeyReading reading, String query) {
		JdbcKeySource source = source(filter, reading, query);
		this.used.add(source);
		return source;
	}

	private JdbcKeySource source(String filter, KeyReading reading, String query) {
		return new JdbcKeySource(filter, dataSource(filter, reading, "warm-up.query", "declare a KeySource bean"),
				query, reading.countQuery(), reading.fetchSize(), Objects.requireNonNullElse(reading.partitions(), 1),
				reading.rowSecurity(), this.spare);
	}

	@Override
	public @Nullable QueryColumns columns(String filter, KeyReading reading, String query) {
		try {
			return source(filter, reading, query).columns();
		}
		catch (DataAccessException ex) {
			// the warm-up tells what is wrong, as soon as there is a database
			return null;
		}
	}

	@Override
	public void check(String filter, KeyFormat format, Collection<AskedKey> asked) {
		try {
			QuerySources.checkSame(filter,
					this.used.stream()
						.filter((source) -> source.filter().equals(filter))
						.map((source) -> source.check(format, asked))
						.toList());
			this.polled.stream().filter((source) -> source.filter().equals(filter)).forEach(JdbcCatchUpSource::check);
		}
		catch (DataAccessException ex) {
			// as above
		}
	}

	public CatchUpSource changes(CatchUpSpecification specification, KeyReading reading) {
		JdbcCatchUpSource source = new JdbcCatchUpSource(specification,
				dataSource(specification.filter(), reading, "catch-up.query", "remove the query"), reading.fetchSize(),
				reading.rowSecurity());
		this.polled.add(source);
		return source;
	}

	/**
	 * Return the database that is asked for the keys of a filter whose log is followed.
	 */
	public DataSource dataSource(String filter, KeyReading reading) {
		return dataSource(filter, reading, "changes.enabled", "set it to false");
	}

	@Override
	public boolean areRouted() {
		return this.dataSources.stream().anyMatch((dataSource) -> RoutingDataSources.find(dataSource).isPresent());
	}

	private DataSource dataSource(String filter, KeyReading reading, String property, String alternative) {
		DataSource named = this.named.find(filter);
		DataSource dataSource = (named != null) ? named : this.own.getIfAvailable(this.dataSources::getIfUnique);
		FilterChecks checks = new FilterChecks(filter);
		if (dataSource == null) {
			throw checks.invalid(property, "set, but there is not one DataSource",
					"Configure spring.datasource.url, set " + checks.property("data-source")
							+ " to the name of one, mark one DataSource as @Primary or @BloomGuardDataSource, or "
							+ alternative);
		}
		RoutingCheck.check(filter, reading, dataSource,
				(problem, remedy) -> checks.invalid(property, "set, " + problem, remedy));
		return dataSource;
	}

}
