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

import java.util.Map;

import io.github.bloomguard.InvalidGuardException;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
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
	static void check(Environment environment) {
		Binder.get(environment)
			.bind("bloom-guard.filters", Bindable.mapOf(String.class, Object.class))
			.orElse(Map.of())
			.forEach(ReplacedProperties::check);
	}

	private static void check(String filter, Object properties) {
		REPLACEMENTS.forEach((former, present) -> {
			Object value = properties;
			for (String name : former.split("\\.")) {
				value = find(value, name);
			}
			if (value != null) {
				String prefix = "bloom-guard.filters." + filter + ".";
				throw new InvalidGuardException(prefix + former + " is " + value + ", and there is no such property",
						"Use " + prefix + present + remedy(former));
			}
		});
	}

	private static @Nullable Object find(@Nullable Object properties, String name) {
		return !(properties instanceof Map<?, ?> map) ? null : map.entrySet()
			.stream()
			.filter((property) -> DataObjectPropertyName.toDashedForm(property.getKey().toString()).equals(name))
			.<@Nullable Object>map(Map.Entry::getValue)
			.findFirst()
			.orElse(null);
	}

	private static String remedy(String former) {
		return former.startsWith("audit")
				? ", the number of absent answers that each instance looks up in a second, 10 by default"
				: " with the same value";
	}

}
