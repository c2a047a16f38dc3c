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
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.autoconfigure.cache.BloomGuardCacheProperties;

import org.springframework.boot.context.properties.bind.BindException;
import org.springframework.boot.context.properties.bind.BindHandler;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.UnboundConfigurationPropertiesException;
import org.springframework.boot.context.properties.bind.handler.NoUnboundElementsBindHandler;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.boot.origin.Origin;
import org.springframework.core.env.Environment;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;

/**
 * Properties below {@code bloom-guard} that nobody reads: misspelt ones, and those of
 * versions before. Variables of the environment are not looked at, because a platform may
 * set some of that name for a service.
 */
final class UnknownProperties {

	private static final ConfigurationPropertyName CACHE = ConfigurationPropertyName.of("bloom-guard.cache");

	private static final ConfigurationPropertyName TEST = ConfigurationPropertyName.of("bloom-guard.test");

	/**
	 * What to do about properties that were there before.
	 */
	private static final Map<String, String> FORMER = Map.of("bloom-guard.filters.*.proof-calls",
			"Use bloom-guard.filters.*.verification.required-calls with the same value",
			"bloom-guard.filters.*.audit.sample-rate",
			"Use bloom-guard.filters.*.verification.rate, the number of absent answers that each instance looks up in a"
					+ " second, 10 by default",
			"bloom-guard.cache.evict-wins", "Remove it: an evict wins in each guarded cache",
			"bloom-guard.cache.caches.*.evict-wins", "Remove it: an evict wins in each guarded cache");

	private UnknownProperties() {
	}

	/**
	 * @throws InvalidGuardException if there is one
	 */
	static void check(Environment environment) {
		Binder binder = Binder.get(environment);
		check(unbound(binder, "bloom-guard", BloomGuardProperties.class).stream()
			.filter((property) -> !CACHE.isAncestorOf(property.getName()) && !TEST.isAncestorOf(property.getName()))
			.findFirst());
		check(unbound(binder, CACHE.toString(), BloomGuardCacheProperties.class).stream().findFirst());
	}

	private static Set<ConfigurationProperty> unbound(Binder binder, String prefix, Class<?> type) {
		try {
			binder.bind(prefix, Bindable.of(type),
					new NoUnboundElementsBindHandler(BindHandler.DEFAULT, UnknownProperties::isLookedAt));
			return Set.of();
		}
		catch (BindException ex) {
			if (ex.getCause() instanceof UnboundConfigurationPropertiesException unbound) {
				return unbound.getUnboundProperties()
					.stream()
					.filter((property) -> !"".equals(property.getValue()))
					.collect(Collectors.toSet());
			}
			throw ex;
		}
	}

	private static boolean isLookedAt(ConfigurationPropertySource source) {
		return !(source.getUnderlyingSource() instanceof PropertySource<?> properties)
				|| !properties.getName().startsWith(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME);
	}

	private static void check(Optional<ConfigurationProperty> unknown) {
		unknown.ifPresent((property) -> {
			ConfigurationPropertyName name = property.getName();
			throw new InvalidGuardException("There is no property " + KnownProperty.written(name) + place(property),
					former(name).orElseGet(() -> KnownProperty.like(name)
						.map((known) -> "Did you mean " + known + "?")
						.orElse("Remove it")));
		});
	}

	private static Optional<String> former(ConfigurationPropertyName name) {
		return FORMER.entrySet()
			.stream()
			.filter((former) -> new KnownProperty(former.getKey()).is(name))
			.map((former) -> new KnownProperty(former.getValue()).named(name))
			.findFirst();
	}

	private static String place(ConfigurationProperty property) {
		Origin origin = property.getOrigin();
		return (origin != null) ? ", which is set at " + origin : "";
	}

}
