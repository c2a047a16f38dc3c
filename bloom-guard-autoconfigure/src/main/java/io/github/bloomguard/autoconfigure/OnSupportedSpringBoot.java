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

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.bloomguard.InvalidGuardException;

import org.springframework.boot.SpringBootVersion;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.ClassUtils;

/**
 * Stops an application whose Spring Boot is too old, or is another line than its starter
 * is for, before it meets classes that are not there.
 *
 * @since 1.0.0
 */
public final class OnSupportedSpringBoot implements Condition {

	private static final Pattern NUMBERS = Pattern.compile("(\\d+)\\.(\\d+)");

	private static final String LAYER_OF_3 = "io.github.bloomguard.boot3.SpringBoot3AutoConfiguration";

	private static final String STARTER = "bloom-guard-starter";

	private static final String STARTER_OF_3 = "bloom-guard-spring-boot3-starter";

	/**
	 * Create a condition.
	 */
	public OnSupportedSpringBoot() {
	}

	@Override
	public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
		check(SpringBootVersion.getVersion(), ClassUtils.isPresent(LAYER_OF_3, context.getClassLoader()));
		return true;
	}

	static void check(String version, boolean hasLayerOf3) {
		Matcher numbers = NUMBERS.matcher(version);
		if (!numbers.lookingAt()) {
			return;
		}
		int major = Integer.parseInt(numbers.group(1));
		if (major < 3 || (major == 3 && Integer.parseInt(numbers.group(2)) < 5)) {
			throw new InvalidGuardException("bloom-guard needs Spring Boot 3.5 or later, and this is " + version,
					"Update Spring Boot, or remove " + (hasLayerOf3 ? STARTER_OF_3 : STARTER));
		}
		if (major == 3 && !hasLayerOf3) {
			throw wrong(STARTER, "4.0 or later", version, STARTER_OF_3);
		}
		if (major > 3 && hasLayerOf3) {
			throw wrong(STARTER_OF_3, "3.5", version, STARTER);
		}
	}

	private static InvalidGuardException wrong(String starter, String line, String version, String right) {
		return new InvalidGuardException(starter + " is for Spring Boot " + line + ", and this is " + version,
				"Write " + right + " in its place");
	}

}
