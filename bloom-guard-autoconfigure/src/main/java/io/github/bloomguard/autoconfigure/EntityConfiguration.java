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

import java.util.Objects;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

import javax.sql.DataSource;

import com.baomidou.mybatisplus.core.metadata.TableInfoHelper;
import com.mongodb.client.MongoClient;
import io.github.bloomguard.KeyConverter;
import io.github.bloomguard.call.GuardedFilters;
import io.github.bloomguard.datajdbc.JdbcAdds;
import io.github.bloomguard.datajdbc.JdbcEntities;
import io.github.bloomguard.datajdbc.JdbcRemoves;
import io.github.bloomguard.datajdbc.JdbcWrites;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.hibernate.HibernateEntities;
import io.github.bloomguard.hibernate.HibernateWrites;
import io.github.bloomguard.jdbc.SpareConnections;
import io.github.bloomguard.mongodb.MongoEntities;
import io.github.bloomguard.mongodb.MongoWrites;
import io.github.bloomguard.mongodb.ObjectIdConverter;
import io.github.bloomguard.mybatis.FollowedKey;
import io.github.bloomguard.mybatis.FollowedKeys;
import io.github.bloomguard.mybatis.MyBatisAdds;
import io.github.bloomguard.mybatis.MyBatisEntities;
import jakarta.persistence.EntityManagerFactory;
import org.apache.ibatis.session.SqlSessionFactory;
import org.bson.types.ObjectId;
import org.hibernate.SessionFactory;
import org.mybatis.spring.mapper.MapperFactoryBean;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.data.jdbc.core.JdbcAggregateOperations;
import org.springframework.data.jdbc.core.convert.JdbcConverter;
import org.springframework.data.jdbc.core.dialect.JdbcDialect;
import org.springframework.data.jdbc.repository.support.JdbcRepositoryFactoryBean;
import org.springframework.data.mongodb.core.MongoTemplate;
import org.springframework.util.ClassUtils;
import org.springframework.util.function.SingletonSupplier;

@Configuration(proxyBeanMethods = false)
class EntityConfiguration {

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ EntityManagerFactory.class, SessionFactory.class })
	static class HibernateConfiguration {

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
		static HibernateWrites bloomGuardHibernateWrites(ObjectProvider<BloomGuardProperties> properties,
				ObjectProvider<GuardedFilters> filters) {
			return new HibernateWrites(() -> properties.getObject().entities(),
					(filter) -> filters.getObject().get(filter));
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

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ SqlSessionFactory.class, MapperFactoryBean.class, TableInfoHelper.class })
	static class MyBatisPlusConfiguration {

		/**
		 * Mappers tell of their entities when they are made.
		 */
		@Bean
		EntityMappings bloomGuardMyBatisEntities(ListableBeanFactory beans, KeyFormat format, MyBatisAdds adds,
				ObjectProvider<SpareConnections> spare) {
			return () -> {
				BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, MapperFactoryBean.class);
				return beans.getBeanProvider(SqlSessionFactory.class)
					.orderedStream()
					.map((factory) -> new MyBatisEntities(factory, format, adds,
							spare.getIfAvailable(() -> SpareConnections.ASSUMED)));
			};
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(SqlSessionFactory.class)
	static class MyBatisConfiguration {

		/**
		 * Whatever maps an entity, MyBatis may write to its table, too.
		 */
		@Bean
		FollowedKeys bloomGuardMyBatisKeys(BloomGuardProperties properties, ObjectProvider<QuerySources> queries,
				ObjectProvider<EntityMappings> mappings) {
			return () -> Stream.concat(new EntitySources(mappings).rows(properties.entities()).map(FollowedKey::of),
					properties.filters()
						.entrySet()
						.stream()
						.flatMap((filter) -> Stream.ofNullable(filter.getValue().table())
							.map((table) -> queries.getObject().table(filter.getKey(), table, filter.getValue())))
						.map(FollowedKey::of));
		}

		@Bean
		TableAdds bloomGuardMyBatisTableAdds(MyBatisAdds adds, ApplicationContext context) {
			SingletonSupplier<MyBatisAdds> all = SingletonSupplier.of(() -> {
				Stream.ofNullable(context.getParent())
					.flatMap((parent) -> parent.getBeanProvider(SqlSessionFactory.class).orderedStream())
					.forEach(adds::expect);
				return adds;
			});
			return () -> all.obtain().doubt();
		}

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static MyBatisAdds bloomGuardMyBatisAdds(ObjectProvider<BloomGuardProperties> properties,
				ObjectProvider<FollowedKeys> keys, ObjectProvider<GuardedFilters> filters) {
			return new MyBatisAdds(() -> properties.getObject().areOfRows(), keys::orderedStream,
					(filter) -> filters.getObject().get(filter));
		}

		/**
		 * Listens to each factory before it opens a session.
		 */
		@Bean
		static BeanPostProcessor bloomGuardSqlSessionFactoryPostProcessor(MyBatisAdds adds) {
			return new ListeningPostProcessor<>(SqlSessionFactory.class, (factory) -> {
				adds.listenTo(factory);
				return factory;
			});
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ MongoClient.class, MongoTemplate.class })
	static class SpringDataMongoConfiguration {

		private static final String REACTIVE = "com.mongodb.reactivestreams.client.MongoClient";

		@Bean
		EntityMappings bloomGuardDocuments(BloomGuardProperties properties, ObjectProvider<MongoTemplate> templates,
				ApplicationContext context) {
			return () -> documents(properties, templates, context).map((documents) -> documents);
		}

		private static Stream<MongoEntities> documents(BloomGuardProperties properties,
				ObjectProvider<MongoTemplate> templates, ApplicationContext context) {
			return onlyOrAll(templates).map((template) -> new MongoEntities(template, properties.entities(),
					context.getClassLoader(), isReactive(context)));
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
		static MongoWrites bloomGuardMongoWrites(ObjectProvider<BloomGuardProperties> properties,
				ObjectProvider<MongoTemplate> templates, ObjectProvider<GuardedFilters> filters,
				ApplicationContext context) {
			return new MongoWrites(() -> documents(properties.getObject(), templates, context),
					(filter) -> filters.getObject().get(filter));
		}

		/**
		 * Listens to each client before it writes anything, if there is a filter that
		 * could be of its documents.
		 */
		@Bean
		static BeanPostProcessor bloomGuardMongoClientPostProcessor(MongoWrites writes,
				ObjectProvider<BloomGuardProperties> properties) {
			return new ListeningPostProcessor<>(MongoClient.class,
					(client) -> properties.getObject().entities().isEmpty() ? client : writes.listenTo(client));
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(JdbcConverter.class)
	static class SpringDataJdbcConfiguration {

		@Bean
		EntityMappings bloomGuardAggregates(ObjectProvider<JdbcConverter> converters,
				ObjectProvider<JdbcDialect> dialects, ObjectProvider<DataSource> dataSources, KeyFormat format,
				ApplicationContext context, ObjectProvider<SpareConnections> spare) {
			return () -> onlyOrAll(converters).map((converter) -> new JdbcEntities(converter, first(dialects),
					(converters.getIfUnique() != null) ? dataSources.getObject() : first(dataSources), format,
					context.getClassLoader(), spare.getIfAvailable(() -> SpareConnections.ASSUMED),
					isHeard(converter, context)));
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
		static JdbcAdds bloomGuardJdbcAdds(ObjectProvider<BloomGuardProperties> properties,
				ObjectProvider<JdbcConverter> converters, ObjectProvider<DataSource> dataSources,
				ObjectProvider<GuardedFilters> filters) {
			return new JdbcAdds(() -> properties.getObject().entities(), converters::getIfUnique,
					dataSources::getIfUnique, (filter) -> filters.getObject().get(filter));
		}

		@Bean
		@Role(BeanDefinition.ROLE_INFRASTRUCTURE)
		static JdbcWrites bloomGuardJdbcWrites(ObjectProvider<JdbcAdds> adds) {
			return new JdbcWrites(adds::getObject);
		}

		@Bean
		static JdbcRemoves bloomGuardJdbcRemoves(ObjectProvider<BloomGuardProperties> properties,
				ObjectProvider<JdbcConverter> converters, ObjectProvider<GuardedFilters> filters) {
			return new JdbcRemoves(() -> properties.getObject().entities(),
					() -> converters.getObject().getMappingContext(), (filter) -> filters.getObject().get(filter));
		}

	}

	/**
	 * Return what there is one of, or else all, so that an entity is refused which more
	 * than one of them could read.
	 */
	private static <T> Stream<T> onlyOrAll(ObjectProvider<T> beans) {
		T only = beans.getIfUnique();
		return (only != null) ? Stream.of(only) : beans.stream();
	}

	private static <T> T first(ObjectProvider<T> beans) {
		return onlyOrAll(beans).findFirst().orElseThrow();
	}

	/**
	 * Shows each bean of a type to a listener, which returns what takes its place.
	 */
	private record ListeningPostProcessor<T>(Class<T> type, UnaryOperator<T> listener) implements BeanPostProcessor {

		@Override
		public Object postProcessAfterInitialization(Object bean, String name) {
			return this.type.isInstance(bean) ? this.listener.apply(this.type.cast(bean)) : bean;
		}

	}

}
