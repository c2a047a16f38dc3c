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

package io.github.bloomguard.autoconfigure.redis;

import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.logging.DeferredLogFactory;
import org.springframework.core.env.ConfigurableEnvironment;

/**
 * Decides the {@link JCacheProvider} with Spring Boot 4.
 */
class JCacheProviderEnvironmentPostProcessor implements EnvironmentPostProcessor {

	private final JCacheProvider provider;

	JCacheProviderEnvironmentPostProcessor(DeferredLogFactory logFactory) {
		this.provider = new JCacheProvider(logFactory.getLog(JCacheProvider.class));
	}

	@Override
	public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
		this.provider.decide(environment, application.getClassLoader());
	}

}
