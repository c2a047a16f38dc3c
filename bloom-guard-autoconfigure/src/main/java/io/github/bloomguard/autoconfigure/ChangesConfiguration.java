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

import java.time.Duration;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.Stream;

import io.github.bloomguard.changes.MySqlLogs;
import io.github.bloomguard.changes.PostgresLogs;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.guard.ManagedFilters;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.SimpleAsyncTaskExecutor;

@Configuration(proxyBeanMethods = false)
@ConditionalOnClass(PostgresLogs.class)
class ChangesConfiguration {

	@Bean
	DatabaseCheck bloomGuardChangeLogsCheck(ManagedFilters filters,
			@Qualifier("bloomGuardExecutor") SimpleAsyncTaskExecutor executor) {
		return new DatabaseCheck(Duration.ofSeconds(5), executor,
				() -> filters.stream()
					.map(ManagedFilter::changes)
					.flatMap(Stream::ofNullable)
					.map((feed) -> feed::check));
	}

	@Bean
	ForgottenFeeds bloomGuardForgottenFeeds(BloomGuardProperties properties, ChangeFeeds feeds,
			@Qualifier("bloomGuardScheduler") ScheduledExecutorService scheduler,
			@Qualifier("bloomGuardExecutor") SimpleAsyncTaskExecutor executor) {
		return new ForgottenFeeds(properties, feeds, scheduler, executor);
	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = "org.postgresql.PGConnection")
	static class PostgresConfiguration {

		@Bean
		PostgresLogs bloomGuardPostgresLogs() {
			return new PostgresLogs();
		}

	}

	@Configuration(proxyBeanMethods = false)
	@ConditionalOnClass(name = "com.github.shyiko.mysql.binlog.BinaryLogClient")
	static class MySqlConfiguration {

		@Bean
		MySqlLogs bloomGuardMySqlLogs() {
			return new MySqlLogs();
		}

	}

}
