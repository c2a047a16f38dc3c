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
import java.util.Objects;

import io.github.bloomguard.FilterMode;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.dynamic.loading.ClassLoadingStrategy;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.boot.context.properties.source.ConfigurationPropertyState;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.PropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.env.SystemEnvironmentPropertySource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FilterDefaults}.
 */
class FilterDefaultsTests {

	@Test
	void filterHasTheDefaultsThatItDoesNotSetItself() {
		BloomGuardProperties properties = bind(Map.of("bloom-guard.defaults.mode", "shadow",
				"bloom-guard.defaults.expectedInsertions", "500", "bloom-guard.defaults.caches[0]", "common",
				"bloom-guard.defaults.rebuild.settle", "7s", "bloom-guard.filters.products.warm-up.fetch-size", "5",
				"bloom-guard.filters.orders.mode", "enforce", "bloom-guard.filters.orders.caches", "orders,lines"));
		assertThat(properties.filters().get("products")).satisfies((filter) -> {
			assertThat(filter.mode()).isEqualTo(FilterMode.SHADOW);
			assertThat(filter.expectedInsertions()).isEqualTo(500);
			assertThat(filter.caches()).containsExactly("common");
			assertThat(filter.rebuild().settle()).hasSeconds(7);
			assertThat(filter.warmUp().fetchSize()).isEqualTo(5);
		});
		assertThat(properties.filters().get("orders")).satisfies((filter) -> {
			assertThat(filter.mode()).isEqualTo(FilterMode.ENFORCE);
			assertThat(filter.expectedInsertions()).isEqualTo(500);
			assertThat(filter.caches()).containsExactly("orders", "lines");
		});
	}

	@Test
	void filterWhoseNameHasDotsHasThemToo() {
		assertThat(bind(
				Map.of("bloom-guard.defaults.mode", "off", "bloom-guard.filters[my.products].expected-insertions", "5"))
			.filters()
			.get("my.products")
			.mode()).isEqualTo(FilterMode.OFF);
	}

	@Test
	void filterIsNotThereTwiceHoweverItsNameIsWritten() {
		BloomGuardProperties properties = bind(
				Map.of("bloom-guard.defaults.mode", "off", "bloom-guard.filters.Order-Items.expected-insertions", "5",
						"bloom-guard.filters.orderLines.expected-insertions", "5"));
		assertThat(properties.filters()).containsOnlyKeys("Order-Items", "orderLines")
			.allSatisfy((name, filter) -> assertThat(filter.mode()).as(name).isEqualTo(FilterMode.OFF));
	}

	@Test
	void developerNeedNotWaitUnlessThatIsAskedFor() {
		Map<String, Object> properties = Map.of("bloom-guard.defaults.verification.required-calls", "7",
				"bloom-guard.filters.products.expected-insertions", "5", "bloom-guard.filters.orders.rebuild.settle",
				"1m");
		ClassLoader devtools = new ByteBuddy().subclass(Object.class)
			.name("org.springframework.boot.devtools.autoconfigure.LocalDevToolsAutoConfiguration")
			.make()
			.load(getClass().getClassLoader(), ClassLoadingStrategy.Default.WRAPPER)
			.getLoaded()
			.getClassLoader();
		BloomGuardProperties developed = bind(properties, devtools);
		assertThat(developed.filters().get("products").rebuild().settle()).isZero();
		assertThat(developed.filters().get("products").verification().requiredCalls()).isEqualTo(7);
		assertThat(developed.filters().get("orders").rebuild().settle()).hasMinutes(1);
		assertThat(bind(properties).filters().get("products").rebuild().settle()).hasMinutes(10);
	}

	@Test
	void formerNameOfThePropertyIsStillKnown() {
		BloomGuardProperties properties = bind(Map.of("bloom-guard.defaults.verification.required-calls", "7",
				"bloom-guard.filters.products.proof-calls", "20", "bloom-guard.filters.orders.expected-insertions", "5",
				"bloom-guard.filters.lines.proof-calls", "20", "bloom-guard.filters.lines.verification.required-calls",
				"30"));
		assertThat(properties.filters().get("products").verification().requiredCalls()).isEqualTo(20);
		assertThat(properties.filters().get("orders").verification().requiredCalls()).isEqualTo(7);
		assertThat(properties.filters().get("lines").verification().requiredCalls()).isEqualTo(30);
	}

	@Test
	void filterHasWhatIsDocumentedIfNobodySaysOtherwise() {
		assertThat(
				bind(Map.of("bloom-guard.filters.products.expected-insertions", "5")).filters().get("products").mode())
			.isEqualTo(FilterMode.ENFORCE);
	}

	@Test
	void variableOfTheEnvironmentMayHaveUnderscoresForDashes() {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources()
			.replace(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
					new SystemEnvironmentPropertySource(StandardEnvironment.SYSTEM_ENVIRONMENT_PROPERTY_SOURCE_NAME,
							Map.of("BLOOM_GUARD_DEFAULTS_EXPECTED_INSERTIONS", "7")));
		BloomGuardProperties properties = bind(environment,
				Map.of("bloom-guard.filters.products.mode", "shadow", "bloom-guard.filters.orders.caches", "a"));
		assertThat(properties.filters().values()).hasSize(2)
			.allMatch((filter) -> Objects.equals(filter.expectedInsertions(), 7L));
	}

	@Test
	void sourceThatListsNoNamesHasDefaultsToo() {
		StandardEnvironment environment = new StandardEnvironment();
		environment.getPropertySources().addFirst(new PropertySource<>("asked") {
			@Override
			public @Nullable Object getProperty(String name) {
				return name.equals("bloom-guard.defaults.warm-up.fetch-size") ? "7" : null;
			}
		});
		assertThat(bind(environment, Map.of("bloom-guard.filters.products.mode", "shadow")).filters()
			.get("products")
			.warmUp()
			.fetchSize()).isEqualTo(7);
	}

	@Test
	void otherPropertiesAreNotBoundForThem() {
		StandardEnvironment environment = new StandardEnvironment();
		bind(environment, Map.of("bloom-guard.defaults.mode", "shadow", "bloom-guard.filters.products.caches", "a"));
		assertThat(ConfigurationPropertySources.get(environment)).allMatch((source) -> source
			.containsDescendantOf(ConfigurationPropertyName.of("server")) == ConfigurationPropertyState.ABSENT);
	}

	private static BloomGuardProperties bind(Map<String, Object> properties) {
		return bind(properties, FilterDefaultsTests.class.getClassLoader());
	}

	private static BloomGuardProperties bind(Map<String, Object> properties, ClassLoader classLoader) {
		return bind(new StandardEnvironment(), properties, classLoader);
	}

	private static BloomGuardProperties bind(StandardEnvironment environment, Map<String, Object> properties) {
		return bind(environment, properties, FilterDefaultsTests.class.getClassLoader());
	}

	private static BloomGuardProperties bind(StandardEnvironment environment, Map<String, Object> properties,
			ClassLoader classLoader) {
		environment.getPropertySources().addFirst(new MapPropertySource("application", properties));
		FilterDefaults.addTo(environment, classLoader);
		return Binder.get(environment).bind("bloom-guard", BloomGuardProperties.class).get();
	}

}
