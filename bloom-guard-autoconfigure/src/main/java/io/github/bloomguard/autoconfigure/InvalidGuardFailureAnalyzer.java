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

import java.util.regex.MatchResult;
import java.util.regex.Pattern;

import io.github.bloomguard.InvalidGuardException;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.env.Environment;
import org.springframework.util.StringUtils;

/**
 * Says what is wrong, where the first property of it was written, and what to write.
 */
class InvalidGuardFailureAnalyzer extends AbstractFailureAnalyzer<InvalidGuardException> {

	private static final Pattern PROPERTY = Pattern.compile("bloom-guard\\.[\\w.-]*\\w");

	private final Environment environment;

	InvalidGuardFailureAnalyzer(Environment environment) {
		this.environment = environment;
	}

	@Override
	protected FailureAnalysis analyze(Throwable rootFailure, InvalidGuardException cause) {
		return new FailureAnalysis(sentence(cause.getProblem()) + place(cause.getProblem()),
				StringUtils.capitalize(sentence(cause.getRemedy())), cause);
	}

	private static String sentence(String text) {
		return text.endsWith("?") ? text : text + ".";
	}

	private String place(String problem) {
		return PROPERTY.matcher(problem)
			.results()
			.map(MatchResult::group)
			.filter(ConfigurationPropertyName::isValid)
			.map(ConfigurationPropertyName::of)
			.findFirst()
			.flatMap((name) -> KnownProperty.set(name, ConfigurationPropertySources.get(this.environment)))
			.map((property) -> String.valueOf(property.getOrigin()))
			.filter((origin) -> !problem.contains(origin))
			.map((origin) -> " It was set at " + origin + ".")
			.orElse("");
	}

}
