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

import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Matches if the guard is switched off, and stops an application that says neither
 * {@code true} nor {@code false}: its methods would not be guarded, and nothing would
 * tell.
 */
final class OnDisabled implements Condition {

	private static final String PROPERTY = "bloom-guard.enabled";

	@Override
	public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
		String enabled = context.getEnvironment().getProperty(PROPERTY);
		return enabled != null && !isTrue(PROPERTY, enabled);
	}

	/**
	 * @throws InvalidGuardException if it is another text than Spring Boot's conditions
	 * know
	 */
	static boolean isTrue(String property, String value) {
		if (!"true".equalsIgnoreCase(value) && !"false".equalsIgnoreCase(value)) {
			throw new InvalidGuardException(property + " is '" + value + "'", "Write true or false");
		}
		return "true".equalsIgnoreCase(value);
	}

}
