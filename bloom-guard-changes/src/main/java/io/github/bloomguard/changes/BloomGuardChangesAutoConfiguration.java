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

package io.github.bloomguard.changes;

import io.github.bloomguard.call.GuardedFilters;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the change logs of the databases whose drivers are there.
 *
 * @since 1.0.0
 */
@AutoConfiguration(afterName = "io.github.bloomguard.autoconfigure.BloomGuardAutoConfiguration")
@ConditionalOnBean(value = GuardedFilters.class, search = SearchStrategy.CURRENT)
public final class BloomGuardChangesAutoConfiguration {

	@Bean
	@ConditionalOnClass(name = "org.postgresql.PGConnection")
	PostgresLogs bloomGuardPostgresLogs() {
		return new PostgresLogs();
	}

	@Bean
	@ConditionalOnClass(name = "com.github.shyiko.mysql.binlog.BinaryLogClient")
	MySqlLogs bloomGuardMySqlLogs() {
		return new MySqlLogs();
	}

}
