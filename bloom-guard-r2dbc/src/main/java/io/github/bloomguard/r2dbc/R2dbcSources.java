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

package io.github.bloomguard.r2dbc;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import javax.sql.DataSource;

import io.github.bloomguard.KeySource;
import io.github.bloomguard.call.AskedKey;
import io.github.bloomguard.filter.FilterChecks;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.jdbc.KeyReading;
import io.github.bloomguard.jdbc.KeyTable;
import io.github.bloomguard.jdbc.QueryColumns;
import io.github.bloomguard.jdbc.QuerySources;
import io.github.bloomguard.jdbc.RoutingCheck;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Wrapped;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Makes sources of keys that are read through R2DBC.
 */
record R2dbcSources(ObjectProvider<ConnectionFactory> connections, List<R2dbcKeySource> used) implements QuerySources {

	private static final String POSTGRESQL = "PostgreSQL";

	@Override
	public KeyTable table(String filter, String table, List<String> keyColumns, KeyReading reading) {
		return R2dbcKeySource.table(filter, table, keyColumns, connections(filter, "table", reading));
	}

	@Override
	public KeySource keys(KeyTable table, KeyReading reading) {
		return use(R2dbcKeySource.ofTable(table, connections(table.filter(), "table", reading), reading.fetchSize(),
				reading.rowSecurity()));
	}

	@Override
	public KeySource keys(String filter, KeyReading reading, String query) {
		return use(source(filter, reading, query));
	}

	private KeySource use(R2dbcKeySource source) {
		this.used.add(source);
		return source;
	}

	private R2dbcKeySource source(String filter, KeyReading reading, String query) {
		return R2dbcKeySource.ofQuery(filter, connections(filter, "warm-up.query", reading), query,
				reading.countQuery(), reading.fetchSize(), reading.rowSecurity());
	}

	@Override
	public QueryColumns columns(String filter, KeyReading reading, String query) {
		return source(filter, reading, query).columns();
	}

	@Override
	public void check(String filter, KeyFormat format, Collection<AskedKey> asked) {
		QuerySources.checkSame(filter,
				this.used.stream()
					.filter((source) -> source.filter().equals(filter))
					.map((source) -> source.check(format, asked))
					.toList());
	}

	private ConnectionFactory connections(String filter, String property, KeyReading reading) {
		FilterChecks checks = new FilterChecks(filter);
		ConnectionFactory connections = this.connections.getIfUnique();
		if (connections == null) {
			throw checks.invalid(property, "set, but there is not one ConnectionFactory",
					"Mark one ConnectionFactory as @Primary, or declare a KeySource bean");
		}
		Optional<Class<?>> routing = reading.allowRoutingDataSource() ? Optional.empty() : routing(connections);
		if (routing.isPresent()) {
			throw RoutingCheck.refused(filter, "ConnectionFactory", routing.get(),
					(problem, remedy) -> checks.invalid(property, "set, " + problem, remedy));
		}
		String product = connections.getMetadata().getName();
		if (!POSTGRESQL.equals(product)) {
			throw checks.invalid(property,
					"set, but the ConnectionFactory is one of " + product
							+ ", and keys are read through R2DBC from PostgreSQL only",
					"Declare a DataSource with @BloomGuardDataSource and add spring-boot-starter-jdbc with a driver,"
							+ " or declare a KeySource bean");
		}
		checks.that(reading.partitions() == null || reading.partitions() <= 1, "warm-up.partitions",
				reading.partitions() + ", but through R2DBC keys are read with one query", "Remove it, or set it to 1");
		return connections;
	}

	private static Optional<Class<?>> routing(Object connections) {
		for (Class<?> type = connections.getClass(); type != null; type = type.getSuperclass()) {
			if (type.getSimpleName().equals("AbstractRoutingConnectionFactory")) {
				return Optional.of(connections.getClass());
			}
		}
		return (connections instanceof Wrapped<?> wrapper) ? routing(wrapper.unwrap()) : Optional.empty();
	}

}
