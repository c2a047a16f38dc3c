package io.github.bloomguard.sample;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/**
 * Adds to {@code spring.datasource.*} where PostgreSQL usually is.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(OnExternalPostgres.class)
class ExternalPostgresConfiguration {

	@Bean
	JdbcConnectionDetails postgresConnectionDetails(
			@Value("${spring.datasource.url:jdbc:postgresql://localhost:5432/postgres}") String url,
			@Value("${spring.datasource.username:postgres}") String username,
			@Value("${spring.datasource.password:#{null}}") @Nullable String password) {
		return new JdbcConnectionDetails() {

			@Override
			public String getJdbcUrl() {
				return url;
			}

			@Override
			public String getUsername() {
				return username;
			}

			@Override
			public @Nullable String getPassword() {
				return password;
			}

		};
	}

}
