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

import java.util.Collection;
import java.util.Map;

import io.github.bloomguard.InvalidGuardException;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;

/**
 * Properties of filters that have other names now. They would be ignored.
 */
final class ReplacedProperties {

	private static final Map<String, String> REPLACEMENTS = Map.of("proof-calls", "verification.required-calls",
			"audit.sample-rate", "verification.rate");

	private ReplacedProperties() {
	}

	/**
	 * @throws InvalidGuardException if one of them is set
	 */
	static void check(Collection<String> filters, Environment environment) {
		Binder binder = Binder.get(environment);
		filters.forEach((filter) -> REPLACEMENTS.forEach((former, present) -> {
			String prefix = "bloom-guard.filters." + filter + ".";
			binder.bind(prefix + former, String.class).ifBound((value) -> {
				throw new InvalidGuardException(prefix + former + " is " + value + ", and there is no such property",
						"Use " + prefix + present + remedy(former));
			});
		}));
	}

	private static String remedy(String former) {
		return former.startsWith("audit")
				? ", the number of absent answers that each instance looks up in a second, 10 by default"
				: " with the same value";
	}

}
