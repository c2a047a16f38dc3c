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
import java.util.regex.Pattern;

import io.github.bloomguard.InvalidGuardException;

/**
 * Which variables the paths of a route have.
 */
final class RouteVariables {

	private RouteVariables() {
	}

	static InvalidGuardException missing(String route, String variable, List<String> patterns) {
		return new InvalidGuardException(
				String.format("The filter BloomGuarded of the route '%s' has the key {%s}, and its paths have no such"
						+ " variable: %s. All of its requests are forwarded", route, variable, patterns),
				"Name a variable of the path, or write Path=/products/{" + variable + "}");
	}

	static boolean has(String pattern, String variable) {
		return Pattern.compile("\\{\\*?" + Pattern.quote(variable) + "(:.*)?}").matcher(pattern).find();
	}

}
