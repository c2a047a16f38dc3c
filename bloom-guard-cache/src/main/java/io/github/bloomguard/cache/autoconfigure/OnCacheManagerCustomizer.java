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

package io.github.bloomguard.cache.autoconfigure;

import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;

/**
 * Matches where Spring Boot can make a Redis cache manager.
 */
class OnCacheManagerCustomizer extends AnyNestedCondition {

	OnCacheManagerCustomizer() {
		super(ConfigurationPhase.PARSE_CONFIGURATION);
	}

	@ConditionalOnClass(name = "org.springframework.boot.cache.autoconfigure.RedisCacheManagerBuilderCustomizer")
	static class SpringBoot4 {

	}

	@ConditionalOnClass(name = "org.springframework.boot.autoconfigure.cache.RedisCacheManagerBuilderCustomizer")
	static class SpringBoot3 {

	}

}
