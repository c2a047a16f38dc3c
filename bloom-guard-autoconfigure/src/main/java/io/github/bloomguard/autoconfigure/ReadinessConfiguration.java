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

import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;

import io.github.bloomguard.guard.FilterSupervisor;

import org.springframework.boot.ApplicationRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;

/**
 * Lets readiness wait for filters: Spring Boot calls an application ready when its
 * runners have returned; the web server and the liveness probe answer before.
 */
@Configuration(proxyBeanMethods = false)
class ReadinessConfiguration {

	@Bean
	@Order(Ordered.LOWEST_PRECEDENCE)
	ApplicationRunner bloomGuardReadinessRunner(FilterSupervisor supervisor) {
		return (arguments) -> {
			try {
				supervisor.blocking().join();
			}
			catch (CancellationException | CompletionException ex) {
				// the application is closing
			}
		};
	}

}
