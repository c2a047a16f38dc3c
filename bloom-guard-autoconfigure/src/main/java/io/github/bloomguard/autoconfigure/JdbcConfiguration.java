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

import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Properties;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.bloomguard.KeySource;
import io.github.bloomguard.call.AskedKey;
import io.github.bloomguard.catchup.CatchUpSource;
import io.github.bloomguard.catchup.CatchUpSpecification;
import io.github.bloomguard.filter.FilterChecks;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.jdbc.JdbcCatchUpSource;
import io.github.bloomguard.jdbc.JdbcKeySource;
import io.github.bloomguard.jdbc.KeyReading;
import io.github.bloomguard.jdbc.KeyTable;
import io.github.bloomguard.jdbc.QueryColumns;
import io.github.bloomguard.jdbc.QuerySources;
import io.github.bloomguard.jdbc.RoutingCheck;
import io.github.bloomguard.jdbc.RoutingDataSources;
import io.github.bloomguard.jdbc.SpareConnections;
import io.github.bloomguard.jdbc.TableAdds;
import io.github.bloomguard.jdbc.TableKeySource;
import io.github.bloomguard.warmup.WarmUpBulkhead;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.boot.jdbc.metadata.CompositeDataSourcePoolMetadataProvider;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(JdbcTemplate.class)
class JdbcConfiguration {

	/**
	 * Comes after what reads without JDBC.
	 */
	@Bean
	@Fallback
	@ConditionalOnMissingBean
	QuerySources bloomGuardQuerySources(ObjectProvider<DataSource> dataSources,
			@BloomGuardDataSource ObjectProvider<DataSource> own, ObjectProvider<SpareConnections> spare,
			ObjectProvider<TableAdds> adds) {
		return new JdbcSources(dataSources, own, spare.getIfAvailable(() -> SpareConnections.ASSUMED), adds,
				new CopyOnWriteArrayList<>(), new ConcurrentHashMap<>());
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(DataSourcePoolMetadataProvider.class)
	static class PoolConfiguration {

		@Bean
		WarmUpBulkhead bloomGuardWarmUpBulkhead(ConfigurableListableBeanFactory beans,
				ObjectProvider<DataSourcePoolMetadataProvider> pools) {
			return new WarmUpBulkhead(() -> smallestPool(beans,
					new CompositeDataSourcePoolMetadataProvider(pools.orderedStream().toList())));
		}

		@Bean
		SpareConnections bloomGuardSpareConnections(ObjectProvider<DataSourcePoolMetadataProvider> providers) {
			DataSourcePoolMetadataProvider pools = new CompositeDataSourcePoolMetadataProvider(
					providers.orderedStream().toList());
			return (dataSource) -> {
				DataSourcePoolMetadata pool = pools.getDataSourcePoolMetadata(dataSource);
				Integer active = (pool != null) ? pool.getActive() : null;
				Integer max = (pool != null) ? pool.getMax() : null;
				return active == null || max == null || max < 0 || active < max;
			};
		}

		/**
		 * A pool that was not needed before is not made for this.
		 */
		private static OptionalInt smallestPool(ConfigurableListableBeanFactory beans,
				DataSourcePoolMetadataProvider pools) {
			return Arrays.stream(beans.getBeanNamesForType(DataSource.class, false, false))
				.filter(beans::containsSingleton)
				.map((name) -> pools.getDataSourcePoolMetadata(beans.getBean(name, DataSource.class)))
				.filter(Objects::nonNull)
				.map(DataSourcePoolMetadata::getMax)
				.filter((max) -> max != null && max > 0)
				.mapToInt(Integer::intValue)
				.min();
		}

	}

	private record JdbcSources(ObjectProvider<DataSource> dataSources, ObjectProvider<DataSource> own,
			SpareConnections spare, ObjectProvider<TableAdds> adds, List<JdbcKeySource> used,
			Map<String, KeyTable> tables) implements QuerySources, JdbcDatabases {

		/**
		 * The application finds the table: who reads it may have another schema.
		 */
		@Override
		public KeyTable table(String filter, String table, List<String> keyColumns, KeyReading reading) {
			return this.tables.computeIfAbsent(filter, (name) -> {
				DataSource reader = readerOfTable(filter, reading);
				return new KeyTable(filter, table, keyColumns, this.dataSources.getIfUnique(() -> reader));
			});
		}

		@Override
		public KeySource keys(KeyTable table, KeyReading reading) {
			JdbcKeySource source = new TableKeySource(table, readerOfTable(table.filter(), reading),
					reading.fetchSize(), reading.partitions(), reading.rowSecurity(), this.spare,
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
					query, reading.countQuery(), reading.fetchSize(),
					Objects.requireNonNullElse(reading.partitions(), 1), reading.rowSecurity(), this.spare);
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
			}
			catch (DataAccessException ex) {
				// as above
			}
		}

		@Override
		public CatchUpSource changes(CatchUpSpecification specification, KeyReading reading) {
			return new JdbcCatchUpSource(specification,
					dataSource(specification.filter(), reading, "catch-up.query", "remove the query"),
					reading.fetchSize(), reading.rowSecurity());
		}

		@Override
		public DataSource dataSource(String filter, KeyReading reading) {
			return dataSource(filter, reading, "changes.enabled", "set it to false");
		}

		@Override
		public boolean areRouted() {
			return this.dataSources.stream().anyMatch((dataSource) -> RoutingDataSources.find(dataSource).isPresent());
		}

		@Override
		public Address address(DataSource dataSource) {
			return asReader(addressOf(dataSource));
		}

		private Address asReader(Address address) {
			return find(this.own.getIfAvailable()).filter((reader) -> reader.url().equals(address.url()))
				.orElse(address);
		}

		@Override
		public Stream<Address> addresses(Stream<DataSource> entities) {
			return Stream.concat(Stream.ofNullable(this.own.getIfAvailable(this.dataSources::getIfUnique)), entities)
				.map(JdbcSources::find)
				.flatMap(Optional::stream)
				.map(this::asReader)
				.distinct();
		}

		private static Optional<Address> find(@Nullable DataSource dataSource) {
			try {
				return Optional.ofNullable(dataSource).map(JdbcSources::addressOf);
			}
			catch (RuntimeException ex) {
				// one that does not tell
				return Optional.empty();
			}
		}

		/**
		 * A log is followed for long and by a connection of another kind, so not one of
		 * the pool.
		 */
		private static Address addressOf(DataSource dataSource) {
			DataSource target = dataSource;
			while (target instanceof DelegatingDataSource delegating && delegating.getTargetDataSource() != null) {
				target = delegating.getTargetDataSource();
			}
			SimpleDriverDataSource database = DataSourceBuilder.derivedFrom(target)
				.type(SimpleDriverDataSource.class)
				.build();
			Properties credentials = new Properties();
			if (database.getUsername() != null) {
				credentials.setProperty("user", database.getUsername());
			}
			if (database.getPassword() != null) {
				credentials.setProperty("password", database.getPassword());
			}
			return new Address(String.valueOf(database.getUrl()), credentials);
		}

		private DataSource dataSource(String filter, KeyReading reading, String property, String alternative) {
			DataSource dataSource = this.own.getIfAvailable(this.dataSources::getIfUnique);
			FilterChecks checks = new FilterChecks(filter);
			if (dataSource == null) {
				throw checks.invalid(property, "set, but there is not one DataSource",
						"Configure spring.datasource.url, mark one DataSource as @Primary or @BloomGuardDataSource, or "
								+ alternative);
			}
			RoutingCheck.check(filter, reading, dataSource,
					(problem, remedy) -> checks.invalid(property, "set, " + problem, remedy));
			return dataSource;
		}

	}

}
