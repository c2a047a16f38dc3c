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

package io.github.bloomguard.mybatis;

import java.util.stream.Stream;

import com.baomidou.mybatisplus.core.metadata.TableInfoHelper;
import io.github.bloomguard.call.WrittenFilters;
import io.github.bloomguard.entity.ConfiguredRows;
import io.github.bloomguard.entity.EntityMappings;
import io.github.bloomguard.entity.ListeningPostProcessor;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.jdbc.SpareConnections;
import io.github.bloomguard.jdbc.TableAdds;
import org.apache.ibatis.session.SqlSessionFactory;
import org.mybatis.spring.mapper.MapperFactoryBean;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.BeanDefinition;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Role;
import org.springframework.util.function.SingletonSupplier;

/**
 * Auto-configuration of filters of what MyBatis writes, and of the entities of
 * MyBatis-Plus.
 *
 * @since 1.0.0
 */
@AutoConfiguration(afterName = "io.github.bloomguard.autoconfigure.BloomGuardAutoConfiguration")
@ConditionalOnClass(SqlSessionFactory.class)
@ConditionalOnBean(value = WrittenFilters.class, search = SearchStrategy.CURRENT)
public final class BloomGuardMyBatisAutoConfiguration {

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
	static MyBatisAdds bloomGuardMyBatisAdds(ObjectProvider<ConfiguredRows> rows,
			ObjectProvider<WrittenFilters> filters) {
		return new MyBatisAdds(() -> rows.getObject().areThere(), () -> followed(rows.getObject()),
				(filter) -> filters.getObject().written(filter));
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

	/**
	 * Whatever maps an entity, MyBatis may write to its table, too.
	 */
	private static Stream<FollowedKey> followed(ConfiguredRows rows) {
		return Stream.concat(rows.ofEntities().map(FollowedKey::of), rows.ofTables().map(FollowedKey::of));
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass({ MapperFactoryBean.class, TableInfoHelper.class })
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

}
