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

package io.github.bloomguard.datajdbc;

import java.util.Objects;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.call.WrittenFilters;
import io.github.bloomguard.entity.ConfiguredRows;
import io.github.bloomguard.entity.EntityMappings;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.jdbc.SpareConnections;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;
import org.springframework.data.jdbc.core.convert.JdbcConverter;
import org.springframework.data.jdbc.core.dialect.JdbcDialect;
import org.springframework.data.jdbc.repository.support.JdbcRepositoryFactoryBean;
import org.springframework.data.relational.core.dialect.Dialect;

/**
 * Auto-configuration of filters of aggregates of Spring Data JDBC.
 *
 * @since 1.0.0
 */
@AutoConfiguration(afterName = "io.github.bloomguard.autoconfigure.BloomGuardAutoConfiguration")
@ConditionalOnClass(JdbcConverter.class)
@ConditionalOnBean(value = WrittenFilters.class, search = SearchStrategy.CURRENT)
public final class BloomGuardDataJdbcAutoConfiguration {

	@Bean
	EntityMappings bloomGuardAggregates(ObjectProvider<JdbcConverter> converters, ObjectProvider<JdbcDialect> dialects,
			ObjectProvider<Dialect> others, ObjectProvider<DataSource> dataSources, KeyFormat format,
			ApplicationContext context, ObjectProvider<SpareConnections> spare) {
		return () -> EntityMappings.onlyOrAll(converters)
			.map((converter) -> new JdbcEntities(converter, dialect(dialects, others), dataSources.getIfUnique(),
					format, context.getClassLoader(), spare.getIfAvailable(() -> SpareConnections.ASSUMED),
					isHeard(converter, context)));
	}

	/**
	 * Spring Data JDBC before 3.5 has a {@code Dialect} that is no {@code JdbcDialect}.
	 */
	private static Dialect dialect(ObjectProvider<JdbcDialect> dialects, ObjectProvider<Dialect> others) {
		return Stream.<Dialect>concat(EntityMappings.onlyOrAll(dialects), EntityMappings.onlyOrAll(others))
			.findFirst()
			.orElseThrow(() -> new InvalidGuardException(
					"There is a JdbcConverter bean but no Dialect bean, so the guard can't write queries for the entities of Spring Data JDBC",
					"Declare the Dialect of your database as a bean, as AbstractJdbcConfiguration does with jdbcDialect()"));
	}

	/**
	 * Callbacks and events of a parent context do not reach this one.
	 */
	private static boolean isHeard(JdbcConverter converter, ApplicationContext context) {
		return Stream.iterate(context.getParent(), Objects::nonNull, ApplicationContext::getParent)
			.noneMatch((parent) -> parent.getBeanProvider(JdbcConverter.class).stream().anyMatch(converter::equals)
					&& (has(parent, JdbcAggregateOperations.class) || has(parent, JdbcRepositoryFactoryBean.class))
					&& !has(parent, JdbcAdds.class));
	}

	private static boolean has(ListableBeanFactory context, Class<?> type) {
		return context.getBeanNamesForType(type, true, false).length > 0;
	}

	@Bean
	static JdbcAdds bloomGuardJdbcAdds(ObjectProvider<ConfiguredRows> rows, ObjectProvider<JdbcConverter> converters,
			ObjectProvider<WrittenFilters> filters) {
		return new JdbcAdds(rows::getObject, converters::getIfUnique, (filter) -> filters.getObject().written(filter));
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static JdbcWrites bloomGuardJdbcWrites(ObjectProvider<JdbcAdds> adds) {
		return new JdbcWrites(adds::getObject);
	}

	@Bean
	static JdbcRemoves bloomGuardJdbcRemoves(ObjectProvider<ConfiguredRows> rows,
			ObjectProvider<JdbcConverter> converters, ObjectProvider<WrittenFilters> filters) {
		return new JdbcRemoves(() -> rows.getObject().entities(), () -> converters.getObject().getMappingContext(),
				(filter) -> filters.getObject().written(filter));
	}

}
