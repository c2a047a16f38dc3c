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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import io.github.bloomguard.autoconfigure.BloomGuardProperties.Filter;
import org.jspecify.annotations.Nullable;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.env.OriginTrackedMapPropertySource;
import org.springframework.boot.origin.OriginTrackedValue;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.util.ClassUtils;

/**
 * Gives each property of a filter that is not set the value that it has below
 * {@code bloom-guard.defaults}, or the one with which a developer need not wait: where
 * Spring Boot's devtools or the guard's own test support are on the class path, which a
 * packaged application does not have.
 * <p>
 * They are copied, to a source that lists its names: with one that has to be asked,
 * Spring Boot would bind each group of properties of the whole application, whether or
 * not anything in it is set.
 */
final class FilterDefaults {

	private static final ConfigurationPropertyName FILTERS = ConfigurationPropertyName.of("bloom-guard.filters");

	private static final ConfigurationPropertyName DEFAULTS = ConfigurationPropertyName.of("bloom-guard.defaults");

	private static final ConfigurationPropertyName REQUIRED_CALLS = ConfigurationPropertyName
		.of("verification.required-calls");

	private static final String FORMER_REQUIRED_CALLS = "proof-calls";

	private static final Map<ConfigurationPropertyName, Object> AT_ONCE = Map
		.of(ConfigurationPropertyName.of("rebuild.settle"), "0s", REQUIRED_CALLS, 3);

	private static final List<String> OF_DEVELOPERS = List.of(
			"org.springframework.boot.devtools.autoconfigure.LocalDevToolsAutoConfiguration",
			"io.github.bloomguard.test.AutoConfigureBloomGuard");

	private final List<ConfigurationPropertySource> sources;

	private FilterDefaults(List<ConfigurationPropertySource> sources) {
		this.sources = sources;
	}

	static void addTo(ConfigurableEnvironment environment, @Nullable ClassLoader classLoader) {
		boolean developed = OF_DEVELOPERS.stream().anyMatch((type) -> ClassUtils.isPresent(type, classLoader));
		Map<String, Object> properties = new FilterDefaults(
				StreamSupport.stream(ConfigurationPropertySources.get(environment).spliterator(), false).toList())
			.ofFilters(developed ? AT_ONCE : Map.of());
		if (!properties.isEmpty()) {
			environment.getPropertySources()
				.addLast(new OriginTrackedMapPropertySource(DEFAULTS.toString(), properties, true));
		}
	}

	private Map<String, Object> ofFilters(Map<ConfigurationPropertyName, Object> otherwise) {
		Map<ConfigurationPropertyName, Object> defaults = new LinkedHashMap<>(otherwise);
		addWritten(defaults);
		Map<String, Object> properties = new LinkedHashMap<>();
		for (ConfigurationPropertyName filter : filters()) {
			String prefix = written(filter) + ".";
			defaults.forEach((name, value) -> properties.put(prefix + name, value));
			find(filter.append(FORMER_REQUIRED_CALLS))
				.ifPresent((value) -> properties.put(prefix + REQUIRED_CALLS, value));
		}
		return properties;
	}

	/**
	 * Spring Boot takes another spelling of a key of a map for another key.
	 */
	private static String written(ConfigurationPropertyName filter) {
		String name = filter.getLastElement(Form.ORIGINAL);
		return FILTERS + (filter.isLastElementIndexed() ? "[" + name + "]" : "." + name);
	}

	private Set<ConfigurationPropertyName> filters() {
		return this.sources.stream()
			.filter(IterableConfigurationPropertySource.class::isInstance)
			.flatMap((source) -> ((IterableConfigurationPropertySource) source).stream())
			.filter(FILTERS::isAncestorOf)
			.map((name) -> name.chop(FILTERS.getNumberOfElements() + 1))
			.collect(Collectors.toSet());
	}

	/**
	 * They are asked for by name, as a variable of the environment may be written in more
	 * than one way, and some sources list no names.
	 */
	private void addWritten(Map<ConfigurationPropertyName, Object> defaults) {
		if (this.sources.stream()
			.allMatch((source) -> source.containsDescendantOf(DEFAULTS) == ConfigurationPropertyState.ABSENT)) {
			return;
		}
		KnownProperty.of(DEFAULTS.toString(), Filter.class).forEach((property) -> {
			add(property.toString(), defaults);
			int element = 0;
			while (add(property + "[" + element + "]", defaults)) {
				element++;
			}
		});
	}

	private boolean add(String property, Map<ConfigurationPropertyName, Object> defaults) {
		ConfigurationPropertyName name = ConfigurationPropertyName.of(property);
		Optional<Object> value = find(name);
		value.ifPresent((found) -> defaults.put(name.subName(DEFAULTS.getNumberOfElements()), found));
		return value.isPresent();
	}

	private Optional<Object> find(ConfigurationPropertyName name) {
		return KnownProperty.set(name, this.sources)
			.map((property) -> OriginTrackedValue.of(property.getValue(), property.getOrigin()));
	}

}
