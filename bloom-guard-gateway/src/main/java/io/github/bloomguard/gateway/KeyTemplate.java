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

package io.github.bloomguard.gateway;

import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import io.github.bloomguard.InvalidGuardException;
import org.jspecify.annotations.Nullable;

/**
 * Makes a key of the variables of a path, such as {@code {id}}, or names a query
 * parameter that has many, such as {@code {?ids}}.
 *
 * @param text with the names of variables in braces
 * @param variables their names
 * @param parameter the name of the query parameter, {@code null} if there is one key
 */
record KeyTemplate(String text, List<String> variables, @Nullable String parameter) {

	private static final Pattern VARIABLE = Pattern.compile("\\{([^{}?]+)}");

	private static final Pattern PARAMETER = Pattern.compile("\\{\\?([^{}?,]+)}");

	/**
	 * @throws InvalidGuardException if it has no variable, so that all requests would
	 * have one key
	 */
	static KeyTemplate of(@Nullable String filter, @Nullable String text) {
		if (filter == null || text == null) {
			throw new InvalidGuardException(
					"A filter BloomGuarded of a route has no " + ((filter == null) ? "filter" : "key"),
					"Write the name of the filter and the variable of the path that is its key, such as"
							+ " BloomGuarded=products, {id}");
		}
		Matcher parameter = PARAMETER.matcher(text);
		if (parameter.matches()) {
			return new KeyTemplate(text, List.of(), parameter.group(1));
		}
		if (text.contains("{?")) {
			throw new InvalidGuardException(
					"The filter BloomGuarded=" + filter + ", " + text
							+ " names a query parameter beside something else",
					"Write the parameter alone, such as BloomGuarded=" + filter + ", {?ids} for /products?ids=1,2,3");
		}
		List<String> variables = VARIABLE.matcher(text).results().map((found) -> found.group(1)).toList();
		if (variables.isEmpty()) {
			throw new InvalidGuardException(
					"The filter BloomGuarded=" + filter + ", " + text + " names no variable of the path of its route",
					"Write it in braces, such as BloomGuarded=" + filter
							+ ", {id} for the path /products/{id}, or {?ids} for the query /products?ids=1,2,3");
		}
		return new KeyTemplate(text, variables, null);
	}

	/**
	 * Return the key, {@code null} if a variable has no value.
	 */
	@Nullable String expand(Map<String, ?> values) {
		if (!values.keySet().containsAll(this.variables)) {
			return null;
		}
		return VARIABLE.matcher(this.text)
			.replaceAll((MatchResult found) -> Matcher.quoteReplacement(String.valueOf(values.get(found.group(1)))));
	}

}
