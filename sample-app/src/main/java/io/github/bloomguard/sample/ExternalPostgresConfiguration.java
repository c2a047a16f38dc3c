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
