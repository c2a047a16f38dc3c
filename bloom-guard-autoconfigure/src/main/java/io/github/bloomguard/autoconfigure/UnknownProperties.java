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

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.cache.autoconfigure.BloomGuardCacheProperties;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.log.LogMessage;

/**
 * Properties below {@code bloom-guard} that are not read: misspelt ones, and those of
 * versions before. Variables of the environment only lead to a warning, and only below
 * the name of a filter or of the defaults, because a platform may set some of that name
 * for a service.
 */
final class UnknownProperties {

	private static final ConfigurationPropertyName ROOT = ConfigurationPropertyName.of("bloom-guard");

	private static final ConfigurationPropertyName FILTERS = ROOT.append("filters");

	private static final List<ConfigurationPropertyName> OF_FILTERS = List.of(FILTERS, ROOT.append("defaults"));

	private static final ConfigurationPropertyName TEST = ConfigurationPropertyName.of("bloom-guard.test");

	private static final Log logger = LogFactory.getLog(UnknownProperties.class);

	/**
	 * Means the same as before, as {@link FilterDefaults} knows.
	 */
	private static final KnownProperty RENAMED = KnownProperty.of("bloom-guard.filters.*.proof-calls");

	/**
	 * Those of which Spring Boot's conditions, which switch off what is neither true nor
	 * false, decide before anything is bound.
	 */
	private static final List<String> SWITCHES = List.of("bloom-guard.advisor.enabled", "bloom-guard.cache.enabled",
			"bloom-guard.page.enabled");

	/**
	 * What to do about properties that were there before. Those that are not of one
	 * filter or cache are in the metadata for editors, too, which has no form for the
	 * others.
	 */
	private static final Map<String, String> FORMER = Map.of("bloom-guard.filters.*.audit.sample-rate",
			lookUps("bloom-guard.filters.*"), "bloom-guard.defaults.audit.sample-rate", lookUps("bloom-guard.defaults"),
			"bloom-guard.defaults.proof-calls", "Use bloom-guard.defaults.verification.required-calls",
			"bloom-guard.cache.evict-wins", "Remove it: an evict wins in each guarded cache",
			"bloom-guard.cache.caches.*.evict-wins", "Remove it: an evict wins in each guarded cache");

	private UnknownProperties() {
	}

	/**
	 * @throws InvalidGuardException if there is one
	 */
	static void check(Environment environment) {
		List<KnownProperty> known = Stream
			.concat(KnownProperty.of(ROOT.toString(), BloomGuardProperties.class),
					KnownProperty.of(ROOT.append("cache").toString(), BloomGuardCacheProperties.class))
			.toList();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (source instanceof IterableConfigurationPropertySource iterable) {
				boolean variables = areVariables(source);
				iterable.stream()
					.filter((name) -> ROOT.isAncestorOf(name) && !TEST.isAncestorOf(name)
							&& known.stream().noneMatch((property) -> property.is(name)))
					.filter((name) -> !variables || OF_FILTERS.stream().anyMatch((parent) -> parent.isAncestorOf(name)))
					.map(source::getConfigurationProperty)
					.filter((property) -> property != null && !"".equals(property.getValue()))
					.forEach((property) -> refuseOrWarn(property, variables, known));
			}
		}
		checkSpellings(environment);
		SWITCHES.forEach((name) -> Optional.ofNullable(environment.getProperty(name))
			.ifPresent((value) -> OnDisabled.isTrue(name, value)));
	}

	/**
	 * Refuse two spellings of the name of a filter: Spring Boot takes them for one name
	 * in properties, and only one of them is then the name of the filter. A variable of
	 * the environment can't be spelt as the name.
	 */
	private static void checkSpellings(Environment environment) {
		Map<ConfigurationPropertyName, ConfigurationProperty> spelt = new HashMap<>();
		for (ConfigurationPropertySource source : ConfigurationPropertySources.get(environment)) {
			if (source instanceof IterableConfigurationPropertySource iterable && !areVariables(source)) {
				iterable.stream()
					.filter(FILTERS::isAncestorOf)
					.map(source::getConfigurationProperty)
					.filter(Objects::nonNull)
					.forEach((property) -> checkSpelling(property,
							spelt.computeIfAbsent(filter(property), (filter) -> property)));
			}
		}
	}

	private static void checkSpelling(ConfigurationProperty property, ConfigurationProperty other) {
		String name = filter(property).getLastElement(Form.ORIGINAL);
		String otherwise = filter(other).getLastElement(Form.ORIGINAL);
		if (!name.equals(otherwise)) {
			throw new InvalidGuardException(
					"bloom-guard.filters has the name '" + otherwise + "'" + place(other) + ", and the name '" + name
							+ "', which Spring Boot takes for the same",
					"Spell it in one way, as annotations and beans do, or give one of the two filters another name");
		}
	}

	private static ConfigurationPropertyName filter(ConfigurationProperty property) {
		return property.getName().chop(FILTERS.getNumberOfElements() + 1);
	}

	private static boolean areVariables(ConfigurationPropertySource source) {
		return source.getUnderlyingSource() instanceof PropertySource<?> properties
				&& properties.getName().startsWith(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
	}

	private static void refuseOrWarn(ConfigurationProperty property, boolean variable, List<KnownProperty> known) {
		if (RENAMED.is(property.getName())) {
			logger.warn(LogMessage.format("%s has another name now, %s",
					KnownProperty.written(property.getName()) + place(property),
					RENAMED.named(property.getName(), "bloom-guard.filters.*.verification.required-calls")));
		}
		else if (variable) {
			logger.warn(unknown(property, known).getMessage());
		}
		else {
			throw unknown(property, known);
		}
	}

	private static InvalidGuardException unknown(ConfigurationProperty property, List<KnownProperty> known) {
		ConfigurationPropertyName name = property.getName();
		return new InvalidGuardException("There is no property " + KnownProperty.written(name) + place(property),
				former(name).or(() -> below(name, known))
					.or(() -> KnownProperty.like(name, known).map((meant) -> "Did you mean " + meant + "?"))
					.orElse("Remove it"));
	}

	private static Optional<String> former(ConfigurationPropertyName name) {
		return FORMER.entrySet()
			.stream()
			.filter((former) -> KnownProperty.of(former.getKey()).is(name))
			.map((former) -> KnownProperty.of(former.getKey()).named(name, former.getValue()))
			.findFirst();
	}

	private static Optional<String> below(ConfigurationPropertyName name, List<KnownProperty> known) {
		String below = KnownProperty.below(name, known);
		return below.isEmpty() ? Optional.empty() : Optional.of("Set what you mean of those below it: " + below);
	}

	private static String lookUps(String filter) {
		return "Use " + filter + ".verification.rate, the number of absent answers that each instance looks up in a"
				+ " second, 10 by default";
	}

	private static String place(ConfigurationProperty property) {
		Origin origin = property.getOrigin();
		return (origin != null) ? ", which is set at " + origin : "";
	}

}
