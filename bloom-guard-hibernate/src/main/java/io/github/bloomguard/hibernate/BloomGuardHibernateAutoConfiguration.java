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

package io.github.bloomguard.hibernate;

import java.util.Optional;

import io.github.bloomguard.call.WrittenFilters;
import io.github.bloomguard.entity.ConfiguredRows;
import io.github.bloomguard.entity.EntityMappings;
import io.github.bloomguard.entity.ListeningPostProcessor;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.jdbc.SpareConnections;
import jakarta.persistence.EntityManagerFactory;
import org.hibernate.SessionFactory;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;

/**
 * Auto-configuration of filters of entities of Hibernate.
 *
 * @since 1.0.0
 */
@AutoConfiguration(afterName = "io.github.bloomguard.autoconfigure.BloomGuardAutoConfiguration")
@ConditionalOnClass({ EntityManagerFactory.class, SessionFactory.class })
@ConditionalOnBean(value = WrittenFilters.class, search = SearchStrategy.CURRENT)
public final class BloomGuardHibernateAutoConfiguration {

	@Bean
	EntityMappings bloomGuardPersistenceUnits(ObjectProvider<EntityManagerFactory> factories, KeyFormat format,
			HibernateWrites writes, ObjectProvider<SpareConnections> spare) {
		return () -> factories.orderedStream()
			.map((factory) -> HibernateEntities.of(factory, format, writes,
					spare.getIfAvailable(() -> SpareConnections.ASSUMED)))
			.flatMap(Optional::stream);
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static HibernateWrites bloomGuardHibernateWrites(ObjectProvider<ConfiguredRows> rows,
			ObjectProvider<KeyFormat> format, ObjectProvider<WrittenFilters> filters) {
		return new HibernateWrites(rows::getObject, format::getObject, (filter) -> filters.getObject().written(filter));
	}

	/**
	 * Listens to each persistence unit before anything is inserted.
	 */
	@Bean
	static BeanPostProcessor bloomGuardPersistenceUnitPostProcessor(HibernateWrites writes) {
		return new ListeningPostProcessor<>(EntityManagerFactory.class, (factory) -> {
			writes.listenTo(factory);
			return factory;
		});
	}

}
