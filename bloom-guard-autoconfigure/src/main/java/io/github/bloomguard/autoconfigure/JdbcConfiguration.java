package io.github.bloomguard.autoconfigure;

import javax.sql.DataSource;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.jdbc.JdbcCatchUpSource;
import io.github.bloomguard.jdbc.JdbcKeySource;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;

/**
 * Warm-up and catch-up from a database.
 */
@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(JdbcTemplate.class)
class JdbcConfiguration {

	@Bean
	@ConditionalOnMissingBean
	QueryKeySources bloomGuardQueryKeySources(ObjectProvider<DataSource> dataSources) {
		return (filter, warmUp, query) -> new JdbcKeySource(filter,
				dataSource(dataSources, filter, "warm-up.query", "declare a KeySource bean"), query,
				warmUp.countQuery(), warmUp.fetchSize(), warmUp.partitions());
	}

	@Bean
	@ConditionalOnMissingBean
	QueryCatchUpSources bloomGuardQueryCatchUpSources(ObjectProvider<DataSource> dataSources) {
		return (specification, fetchSize) -> new JdbcCatchUpSource(specification,
				dataSource(dataSources, specification.filter(), "catch-up.query", "remove the query"), fetchSize);
	}

	private static DataSource dataSource(ObjectProvider<DataSource> dataSources, String filter, String property,
			String alternative) {
		DataSource dataSource = dataSources.getIfUnique();
		if (dataSource == null) {
			throw new InvalidGuardException(
					"bloom-guard.filters." + filter + "." + property + " is set, but there is not one DataSource",
					"Configure spring.datasource.url, mark one DataSource as @Primary, or " + alternative);
		}
		return dataSource;
	}

}
