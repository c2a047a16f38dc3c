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

import io.github.bloomguard.BloomGuard;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/**
 * Auto-configuration of a {@link BloomGuard} that lets everything pass, for beans that
 * need one where the guard is disabled.
 *
 * @since 1.0.0
 */
@AutoConfiguration
@Conditional(OnDisabled.class)
public final class DisabledBloomGuardAutoConfiguration {

	@Bean
	@ConditionalOnMissingBean
	BloomGuard bloomGuard() {
		return new DisabledBloomGuard();
	}

}
