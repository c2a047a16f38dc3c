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

import io.github.bloomguard.InvalidGuardException;

import org.springframework.boot.SpringBootVersion;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Stops an application whose Spring Boot is too old before it meets classes that are not
 * there.
 *
 * @since 1.0.0
 */
public final class OnSupportedSpringBoot implements Condition {

	private static final int OLDEST = 4;

	/**
	 * Create a condition.
	 */
	public OnSupportedSpringBoot() {
	}

	@Override
	public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
		check(SpringBootVersion.getVersion());
		return true;
	}

	static void check(String version) {
		String major = version.split("\\.", 2)[0];
		if (major.chars().allMatch(Character::isDigit) && Integer.parseInt(major) < OLDEST) {
			throw new InvalidGuardException("bloom-guard needs Spring Boot 4.0 or later, and this is " + version,
					"Update Spring Boot, or remove bloom-guard-starter");
		}
	}

}
