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

package io.github.bloomguard.boot3;

import io.github.bloomguard.autoconfigure.BloomGuardAutoConfiguration;
import io.github.bloomguard.guard.ManagedFilters;

import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.autoconfigure.health.HealthContributorAutoConfiguration;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/**
 * Auto-configuration of the health of filters.
 *
 * @since 1.0.0
 */
@AutoConfiguration(after = BloomGuardAutoConfiguration.class, before = HealthContributorAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnEnabledHealthIndicator.class)
@ConditionalOnEnabledHealthIndicator("bloom-guard")
@ConditionalOnBean(ManagedFilters.class)
public final class SpringBoot3HealthAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean(name = "bloomGuardHealthContributor")
	FilterHealthIndicator bloomGuardHealthContributor(ManagedFilters filters) {
		return new FilterHealthIndicator(filters);
	}

}
