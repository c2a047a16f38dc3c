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
import java.util.Objects;
import java.util.OptionalInt;

import javax.sql.DataSource;

import io.github.bloomguard.jdbc.JdbcSources;
import io.github.bloomguard.jdbc.NamedDataSources;
import io.github.bloomguard.jdbc.QuerySources;
import io.github.bloomguard.jdbc.SpareConnections;
import io.github.bloomguard.jdbc.TableAdds;
import io.github.bloomguard.warmup.WarmUpBulkhead;

import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.jdbc.metadata.CompositeDataSourcePoolMetadataProvider;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.jdbc.core.JdbcTemplate;

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
			@BloomGuardDataSource ObjectProvider<DataSource> own, NamedDataSources named,
			ObjectProvider<SpareConnections> spare, ObjectProvider<TableAdds> adds) {
		return new JdbcSources(dataSources, own, named, spare.getIfAvailable(() -> SpareConnections.ASSUMED), adds);
	}

	@Bean
	NamedDataSources bloomGuardNamedDataSources(ListableBeanFactory beans,
			ObjectProvider<BloomGuardProperties> properties) {
		return new NamedDataSources(() -> BeanFactoryUtils.beansOfTypeIncludingAncestors(beans, DataSource.class),
				(filter) -> properties.getObject().dataSource(filter));
	}

	@Bean
	@ConditionalOnMissingBean
	JdbcDatabases bloomGuardJdbcDatabases(ObjectProvider<DataSource> dataSources,
			@BloomGuardDataSource ObjectProvider<DataSource> own) {
		return new JdbcDatabases(dataSources, own);
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

}
