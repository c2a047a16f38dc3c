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

import java.util.Objects;
import java.util.stream.StreamSupport;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertySource;

/**
 * Gives each property of a filter that nobody sets the value that it has below
 * {@code bloom-guard.defaults}.
 */
final class FilterDefaults extends PropertySource<Object> {

	/**
	 * Looked at first: each property is asked for that an application does not have.
	 */
	private static final String PREFIX = "bloom-guard.filters";

	private static final ConfigurationPropertyName FILTERS = ConfigurationPropertyName.of(PREFIX);

	private static final ConfigurationPropertyName DEFAULTS = ConfigurationPropertyName.of("bloom-guard.defaults");

	/**
	 * Not the source of this one: Spring Boot would look into it again and again.
	 */
	private final ConfigurableEnvironment environment;

	private FilterDefaults(ConfigurableEnvironment environment) {
		super(DEFAULTS.toString());
		this.environment = environment;
	}

	static void addTo(ConfigurableEnvironment environment) {
		environment.getPropertySources().addLast(new FilterDefaults(environment));
	}

	@Override
	public @Nullable Object getProperty(String property) {
		if (!property.startsWith(PREFIX) || !ConfigurationPropertyName.isValid(property)) {
			return null;
		}
		ConfigurationPropertyName name = ConfigurationPropertyName.of(property);
		int filter = FILTERS.getNumberOfElements() + 1;
		return (FILTERS.isAncestorOf(name) && name.getNumberOfElements() > filter)
				? find(DEFAULTS.append(name.subName(filter))) : null;
	}

	private @Nullable Object find(ConfigurationPropertyName name) {
		return StreamSupport.stream(ConfigurationPropertySources.get(this.environment).spliterator(), false)
			.map((source) -> source.getConfigurationProperty(name))
			.filter(Objects::nonNull)
			.findFirst()
			.map(ConfigurationProperty::getValue)
			.orElse(null);
	}

}
