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
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import io.github.bloomguard.KeySource;
import io.github.bloomguard.call.AskedKey;
import io.github.bloomguard.filter.FilterChecks;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.jdbc.KeyTable;
import io.github.bloomguard.jdbc.QueryColumns;
import io.github.bloomguard.r2dbc.R2dbcKeySource;
import io.r2dbc.spi.ConnectionFactory;
import io.r2dbc.spi.Wrapped;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(value = ConnectionFactory.class, name = "reactor.core.publisher.Flux")
@Conditional(R2dbcConfiguration.OnR2dbcAlone.class)
class R2dbcConfiguration {

	@Bean
	@ConditionalOnMissingBean
	QuerySources bloomGuardQuerySources(ObjectProvider<ConnectionFactory> connections) {
		return new R2dbcSources(connections, new CopyOnWriteArrayList<>());
	}

	/**
	 * With a {@link DataSource}, however it is marked, keys are read through JDBC, which
	 * knows more databases.
	 */
	static class OnR2dbcAlone implements ConfigurationCondition {

		@Override
		public ConfigurationPhase getConfigurationPhase() {
			return ConfigurationPhase.REGISTER_BEAN;
		}

		@Override
		public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
			ListableBeanFactory beans = Objects.requireNonNull(context.getBeanFactory());
			return has(beans, ConnectionFactory.class) && !has(beans, DataSource.class);
		}

		private static boolean has(ListableBeanFactory beans, Class<?> type) {
			return BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, type, true, false).length > 0;
		}

	}

	private record R2dbcSources(ObjectProvider<ConnectionFactory> connections,
			List<R2dbcKeySource> used) implements QuerySources {

		private static final String POSTGRESQL = "PostgreSQL";

		@Override
		public KeyTable table(String filter, String table, BloomGuardProperties.Filter properties) {
			return R2dbcKeySource.table(filter, table, properties.keyColumns(),
					connections(filter, "table", properties.warmUp()));
		}

		@Override
		public KeySource keys(KeyTable table, BloomGuardProperties.WarmUp warmUp) {
			return use(R2dbcKeySource.ofTable(table, connections(table.filter(), "table", warmUp), warmUp.fetchSize(),
					warmUp.rowSecurity()));
		}

		@Override
		public KeySource keys(String filter, BloomGuardProperties.WarmUp warmUp, String query) {
			return use(source(filter, warmUp, query));
		}

		private KeySource use(R2dbcKeySource source) {
			this.used.add(source);
			return source;
		}

		private R2dbcKeySource source(String filter, BloomGuardProperties.WarmUp warmUp, String query) {
			return R2dbcKeySource.ofQuery(filter, connections(filter, "warm-up.query", warmUp), query,
					warmUp.countQuery(), warmUp.fetchSize(), warmUp.rowSecurity());
		}

		@Override
		public QueryColumns columns(String filter, BloomGuardProperties.WarmUp warmUp, String query) {
			return source(filter, warmUp, query).columns();
		}

		@Override
		public void check(String filter, KeyFormat format, Collection<AskedKey> asked) {
			QuerySources.checkSame(filter,
					this.used.stream()
						.filter((source) -> source.filter().equals(filter))
						.map((source) -> source.check(format, asked))
						.toList());
		}

		private ConnectionFactory connections(String filter, String property, BloomGuardProperties.WarmUp warmUp) {
			FilterChecks checks = new FilterChecks(filter);
			ConnectionFactory connections = this.connections.getIfUnique();
			if (connections == null) {
				throw checks.invalid(property, "set, but there is not one ConnectionFactory",
						"Mark one ConnectionFactory as @Primary, or declare a KeySource bean");
			}
			Optional<Class<?>> routing = warmUp.allowRoutingDataSource() ? Optional.empty() : routing(connections);
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
			checks.that(warmUp.partitions() == null || warmUp.partitions() <= 1, "warm-up.partitions",
					warmUp.partitions() + ", but through R2DBC keys are read with one query",
					"Remove it, or set it to 1");
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

}
