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

package io.github.bloomguard.mongodb;

import java.util.stream.Stream;

import com.mongodb.client.MongoClient;
import io.github.bloomguard.KeyConverter;
import io.github.bloomguard.call.WrittenFilters;
import io.github.bloomguard.entity.ConfiguredRows;
import io.github.bloomguard.entity.EntityMappings;
import io.github.bloomguard.entity.ListeningPostProcessor;
import org.bson.types.ObjectId;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.util.ClassUtils;

/**
 * Auto-configuration of filters of documents of Spring Data MongoDB.
 *
 * @since 1.0.0
 */
@AutoConfiguration(afterName = "io.github.bloomguard.autoconfigure.BloomGuardAutoConfiguration")
@ConditionalOnClass({ MongoClient.class, MongoTemplate.class })
@ConditionalOnBean(value = WrittenFilters.class, search = SearchStrategy.CURRENT)
public final class BloomGuardMongoAutoConfiguration {

	private static final String REACTIVE = "com.mongodb.reactivestreams.client.MongoClient";

	@Bean
	EntityMappings bloomGuardDocuments(ConfiguredRows rows, ObjectProvider<MongoTemplate> templates,
			ApplicationContext context) {
		return () -> documents(rows, templates, context).map((documents) -> documents);
	}

	private static Stream<MongoEntities> documents(ConfiguredRows rows, ObjectProvider<MongoTemplate> templates,
			ApplicationContext context) {
		return EntityMappings.onlyOrAll(templates)
			.map((template) -> new MongoEntities(template, rows.entities(), context.getClassLoader(),
					isReactive(context)));
	}

	private static boolean isReactive(ApplicationContext context) {
		return ClassUtils.isPresent(REACTIVE, context.getClassLoader())
				&& BeanFactoryUtils.beanNamesForTypeIncludingAncestors(context,
						ClassUtils.resolveClassName(REACTIVE, context.getClassLoader()), true, false).length > 0;
	}

	@Bean
	@Order(Ordered.HIGHEST_PRECEDENCE)
	KeyConverter<ObjectId> bloomGuardObjectIdConverter() {
		return new ObjectIdConverter();
	}

	@Bean
	@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
	static MongoWrites bloomGuardMongoWrites(ObjectProvider<ConfiguredRows> rows,
			ObjectProvider<MongoTemplate> templates, ObjectProvider<WrittenFilters> filters,
			ApplicationContext context) {
		return new MongoWrites(() -> documents(rows.getObject(), templates, context),
				(filter) -> filters.getObject().written(filter));
	}

	/**
	 * Listens to each client before it writes anything, if there is a filter that could
	 * be of its documents.
	 */
	@Bean
	static BeanPostProcessor bloomGuardMongoClientPostProcessor(MongoWrites writes,
			ObjectProvider<ConfiguredRows> rows) {
		return new ListeningPostProcessor<>(MongoClient.class,
				(client) -> rows.getObject().entities().isEmpty() ? client : writes.listenTo(client));
	}

}
