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

import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.sql.DataSource;

import io.github.bloomguard.call.GuardedFilters;
import io.github.bloomguard.jdbc.QuerySources;
import io.r2dbc.spi.ConnectionFactory;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Auto-configuration of filters of tables that are read through R2DBC.
 *
 * @since 1.0.0
 */
@AutoConfiguration(afterName = "io.github.bloomguard.autoconfigure.BloomGuardAutoConfiguration")
@ConditionalOnClass(value = ConnectionFactory.class, name = "reactor.core.publisher.Flux")
@ConditionalOnBean(value = GuardedFilters.class, search = SearchStrategy.CURRENT)
@Conditional(BloomGuardR2dbcAutoConfiguration.OnR2dbcAlone.class)
public final class BloomGuardR2dbcAutoConfiguration {

	@Bean
	QuerySources bloomGuardR2dbcQuerySources(ObjectProvider<ConnectionFactory> connections) {
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

}
