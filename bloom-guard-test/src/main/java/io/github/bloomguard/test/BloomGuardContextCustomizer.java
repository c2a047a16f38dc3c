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

package io.github.bloomguard.test;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;

import io.github.bloomguard.autoconfigure.KeySources;
import io.github.bloomguard.backend.memory.MemoryBackend;
import io.github.bloomguard.cache.FilterCaches;
import io.github.bloomguard.guard.FilterSupervisor;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.IterableConfigurationPropertySource;
import org.springframework.cache.CacheManager;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.MutablePropertySources;
import org.springframework.core.env.PropertySource;
import org.springframework.test.context.ContextCustomizer;
import org.springframework.test.context.MergedContextConfiguration;
import org.springframework.test.context.support.TestPropertySourceUtils;
import org.springframework.util.ClassUtils;

/**
 * Sets what tests need of each filter that is configured. Only the properties of the test
 * itself come before it.
 *
 * @param warmUp whether the filters are loaded
 */
record BloomGuardContextCustomizer(boolean warmUp) implements ContextCustomizer {

	private static final ConfigurationPropertyName FILTERS = ConfigurationPropertyName.of("bloom-guard.filters");

	private static final String IGNORES_UNKNOWN = "bloom-guard.test.ignore-unknown-filters";

	private static final String REDIS_CACHES = "org.springframework.data.redis.cache.RedisCacheManager";

	/**
	 * On a busy machine, answers take their time.
	 */
	private static final Map<String, Object> PATIENCE = Map.of("bloom-guard.timeout", "10s", "bloom-guard.add-timeout",
			"10s");

	private static final Map<String, Object> ALWAYS = Map.of("type", MemoryBackend.TYPE, "verification.required-calls",
			0, "verification.mode", "off", "rebuild.settle", "0s", "add-replicas", 0, "warm-up.recheck-empty", "0s",
			"warm-up.on-startup", "if-missing", "warm-up.blocking", true, "owner", "");

	private static final Map<String, Object> WITHOUT_WARM_UP = Map.of("expected-insertions", 10_000, "catch-up.query",
			"", "catch-up.start", "", "changes.enabled", false);

	@Override
	public void customizeContext(ConfigurableApplicationContext context, MergedContextConfiguration configuration) {
		Map<String, Object> properties = new LinkedHashMap<>(PATIENCE);
		properties.put(IGNORES_UNKNOWN, true);
		filters(context).forEach((filter) -> {
			ALWAYS.forEach((name, value) -> properties.put(filter + "." + name, value));
			if (!this.warmUp) {
				WITHOUT_WARM_UP.forEach((name, value) -> properties.put(filter + "." + name, value));
			}
		});
		add(context.getEnvironment().getPropertySources(),
				new MapPropertySource(AutoConfigureBloomGuard.class.getName(), properties));
		GenericApplicationContext beans = (GenericApplicationContext) context;
		if (!this.warmUp) {
			beans.registerBean("bloomGuardTestKeySources", KeySources.class, NoKeys::new);
		}
		if (ClassUtils.isPresent(REDIS_CACHES, null)) {
			beans.registerBean("bloomGuardTestNullEntries", NullEntriesWithoutRedis.class,
					() -> new NullEntriesWithoutRedis(context.getBeanProvider(CacheManager.class),
							context.getBeanProvider(FilterCaches.class)));
		}
		beans.registerBean("bloomGuardTestFilters", CompleteFilters.class,
				() -> new CompleteFilters(context.getBeanProvider(FilterSupervisor.class)));
	}

	/**
	 * Return the prefixes of the filters' properties, as they are written: a name with
	 * capitals and one in brackets are not the same to Spring Boot.
	 */
	private static Set<String> filters(ConfigurableApplicationContext context) {
		return StreamSupport.stream(ConfigurationPropertySources.get(context.getEnvironment()).spliterator(), false)
			.filter(IterableConfigurationPropertySource.class::isInstance)
			.flatMap((source) -> ((IterableConfigurationPropertySource) source).stream())
			.filter(FILTERS::isAncestorOf)
			.map((name) -> name.chop(FILTERS.getNumberOfElements() + 1))
			.map((name) -> name.isLastElementIndexed() ? FILTERS + "[" + name.getLastElement(Form.ORIGINAL) + "]"
					: FILTERS + "." + name.getLastElement(Form.ORIGINAL))
			.collect(Collectors.toCollection(LinkedHashSet::new));
	}

	private static void add(MutablePropertySources sources, PropertySource<?> source) {
		String own = TestPropertySourceUtils.INLINED_PROPERTIES_PROPERTY_SOURCE_NAME;
		if (sources.contains(own)) {
			sources.addAfter(own, source);
		}
		else {
			sources.addFirst(source);
		}
	}

}
