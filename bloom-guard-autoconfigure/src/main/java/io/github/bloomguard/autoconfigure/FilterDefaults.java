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

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.StreamSupport;

import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.origin.Origin;
import org.springframework.boot.origin.OriginLookup;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.PropertySource;
import org.springframework.util.ClassUtils;

/**
 * Gives each property of a filter that nobody sets the value that it has below
 * {@code bloom-guard.defaults}, or the one with which a developer need not wait: where
 * Spring Boot's devtools or the guard's own test support are on the class path, which a
 * packaged application does not have.
 */
final class FilterDefaults extends PropertySource<Object> implements OriginLookup<String> {

	/**
	 * Looked at first: each property is asked for that an application does not have.
	 */
	private static final String PREFIX = "bloom-guard.filters";

	private static final ConfigurationPropertyName FILTERS = ConfigurationPropertyName.of(PREFIX);

	private static final ConfigurationPropertyName DEFAULTS = ConfigurationPropertyName.of("bloom-guard.defaults");

	private static final ConfigurationPropertyName REQUIRED_CALLS = ConfigurationPropertyName
		.of("verification.required-calls");

	private static final String FORMER_REQUIRED_CALLS = "proof-calls";

	private static final Map<ConfigurationPropertyName, Object> AT_ONCE = Map.of(DEFAULTS.append("rebuild.settle"),
			"0s", DEFAULTS.append("verification.required-calls"), 3);

	private static final List<String> OF_DEVELOPERS = List.of(
			"org.springframework.boot.devtools.autoconfigure.LocalDevToolsAutoConfiguration",
			"io.github.bloomguard.test.AutoConfigureBloomGuard");

	/**
	 * Not the source of this one: Spring Boot would look into it again and again.
	 */
	private final ConfigurableEnvironment environment;

	private final Map<ConfigurationPropertyName, Object> otherwise;

	private FilterDefaults(ConfigurableEnvironment environment, Map<ConfigurationPropertyName, Object> otherwise) {
		super(DEFAULTS.toString());
		this.environment = environment;
		this.otherwise = otherwise;
	}

	static void addTo(ConfigurableEnvironment environment, @Nullable ClassLoader classLoader) {
		boolean developed = OF_DEVELOPERS.stream().anyMatch((type) -> ClassUtils.isPresent(type, classLoader));
		environment.getPropertySources().addLast(new FilterDefaults(environment, developed ? AT_ONCE : Map.of()));
	}

	@Override
	public @Nullable Object getProperty(String property) {
		return name(property).map((name) -> value(find(name), this.otherwise.get(name))).orElse(null);
	}

	@Override
	public @Nullable Origin getOrigin(String property) {
		return name(property).map(this::find).map(ConfigurationProperty::getOrigin).orElse(null);
	}

	/**
	 * Return the name that a property of a filter has where its value is looked for.
	 */
	private Optional<ConfigurationPropertyName> name(String property) {
		if (!property.startsWith(PREFIX) || !ConfigurationPropertyName.isValid(property)) {
			return Optional.empty();
		}
		ConfigurationPropertyName name = ConfigurationPropertyName.of(property);
		int filter = FILTERS.getNumberOfElements() + 1;
		if (!FILTERS.isAncestorOf(name) || name.getNumberOfElements() <= filter) {
			return Optional.empty();
		}
		ConfigurationPropertyName own = name.subName(filter);
		ConfigurationPropertyName former = name.chop(filter).append(FORMER_REQUIRED_CALLS);
		return Optional.of((own.equals(REQUIRED_CALLS) && find(former) != null) ? former : DEFAULTS.append(own));
	}

	private static @Nullable Object value(@Nullable ConfigurationProperty found, @Nullable Object otherwise) {
		return (found != null) ? found.getValue() : otherwise;
	}

	private @Nullable ConfigurationProperty find(ConfigurationPropertyName name) {
		return StreamSupport.stream(ConfigurationPropertySources.get(this.environment).spliterator(), false)
			.map((source) -> source.getConfigurationProperty(name))
			.filter(Objects::nonNull)
			.findFirst()
			.orElse(null);
	}

}
