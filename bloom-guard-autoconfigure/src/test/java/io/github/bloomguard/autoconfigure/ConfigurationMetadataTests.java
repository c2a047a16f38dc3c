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

import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.github.bloomguard.cache.autoconfigure.BloomGuardCacheProperties;
import io.github.bloomguard.testsupport.ConfigurationMetadata;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what editors know about the properties.
 */
class ConfigurationMetadataTests {

	private static final String FILTER = "bloom-guard.filters.*";

	private static final String CACHE = "bloom-guard.cache.caches.*";

	private final Map<String, JsonNode> properties = ConfigurationMetadata.read().properties();

	private final Map<String, JsonNode> hints = ConfigurationMetadata.read().hints();

	@Test
	void eachPropertyIsKnown() {
		assertThat(this.properties).containsKeys(names("bloom-guard", BloomGuardProperties.class))
			.containsKeys(names("bloom-guard.cache", BloomGuardCacheProperties.class))
			.containsKey("management.health.bloom-guard.enabled");
	}

	@Test
	void eachPropertyOfAFilterIsKnown() {
		assertThat(names(FILTER, BloomGuardProperties.Filter.class)).contains(FILTER + ".expected-insertions",
				FILTER + ".warm-up.query");
		assertThat(this.properties).containsKeys(names(FILTER, BloomGuardProperties.Filter.class));
	}

	@Test
	void eachPropertyOfACacheIsKnown() {
		assertThat(names(CACHE, BloomGuardCacheProperties.Cache.class)).contains(CACHE + ".empty-ttl");
		assertThat(this.properties).containsKeys(names(CACHE, BloomGuardCacheProperties.Cache.class));
	}

	@Test
	void propertiesThatAreNotMisspeltAreThoseThatEditorsKnow() {
		Stream<KnownProperty> known = Stream.concat(KnownProperty.of("bloom-guard", BloomGuardProperties.class),
				KnownProperty.of("bloom-guard.cache", BloomGuardCacheProperties.class));
		assertThat(this.properties.keySet().stream().filter((name) -> name.startsWith("bloom-guard.")))
			.containsExactlyInAnyOrderElementsOf(Stream
				.concat(known.map(KnownProperty::toString),
						Stream.of("bloom-guard.filters", "bloom-guard.cache.caches"))
				.toList());
	}

	@Test
	void eachPropertyIsDescribedByASentence() {
		assertThat(this.properties)
			.allSatisfy((name, property) -> assertThat(property.path("description").asString("")).as(name)
				.matches("(?s)[A-Z].{10,}\\."));
	}

	@Test
	void defaultsAreKnown() {
		assertDefaultsAreKnown("bloom-guard", BloomGuardProperties.class);
		assertDefaultsAreKnown("bloom-guard.cache", BloomGuardCacheProperties.class);
		assertDefaultsAreKnown(FILTER, BloomGuardProperties.Filter.class);
		assertThat(this.properties.get("bloom-guard.timeout").path("defaultValue").asString("")).isEqualTo("100ms");
		assertThat(this.properties.get("bloom-guard.key-prefix").path("defaultValue").asString(""))
			.isEqualTo("bloom-guard");
		assertThat(this.properties.get("bloom-guard.enabled").path("defaultValue").asBoolean(false)).isTrue();
	}

	@Test
	void eachValueOfAnEnumIsExplained() {
		assertThat(this.properties).allSatisfy((name, property) -> {
			Class<?> type = typeOf(property);
			if (type.isEnum() && name.startsWith("bloom-guard.") && !name.startsWith("bloom-guard.defaults.")) {
				assertThat(valuesOf(name)).as(name).containsExactly(constantsOf(type));
			}
		});
	}

	@Test
	void eachKindOfFilterIsSuggestedAndOthersAreAllowed() {
		assertThat(valuesOf(FILTER + ".type")).contains("redis", "redis-bloom", "redis-cuckoo", "memory");
		assertThat(this.hints.get(FILTER + ".type").path("providers").path(0).path("name").asString(""))
			.isEqualTo("any");
	}

	@Test
	void eachHintIsForAProperty() {
		assertThat(this.hints.keySet()).contains("bloom-guard.filters.keys", FILTER + ".caches",
				"bloom-guard.cache.caches.keys");
		assertThat(this.hints.keySet())
			.allSatisfy((name) -> assertThat(this.properties).containsKey(name.replaceFirst("\\.keys$", "")));
	}

	private void assertDefaultsAreKnown(String prefix, Class<?> type) {
		leaves(prefix, type).filter((leaf) -> leaf.defaultValue().length > 0)
			.forEach((leaf) -> assertThat(this.properties.get(leaf.name()).has("defaultValue")).as(leaf.name())
				.isTrue());
	}

	private static String[] names(String prefix, Class<?> type) {
		return leaves(prefix, type).map(Leaf::name).toArray(String[]::new);
	}

	private static Stream<Leaf> leaves(String prefix, Class<?> type) {
		RecordComponent[] components = type.getRecordComponents();
		Parameter[] parameters = type.getDeclaredConstructors()[0].getParameters();
		return IntStream.range(0, components.length).boxed().flatMap((i) -> {
			Name own = parameters[i].getAnnotation(Name.class);
			String name = prefix + "."
					+ ((own != null) ? own.value() : DataObjectPropertyName.toDashedForm(components[i].getName()));
			return components[i].getType().isRecord() ? leaves(name, components[i].getType())
					: Stream.of(new Leaf(name, defaultValue(parameters[i])));
		});
	}

	private static String[] defaultValue(Parameter parameter) {
		DefaultValue value = parameter.getAnnotation(DefaultValue.class);
		return (value != null) ? value.value() : new String[0];
	}

	private static Class<?> typeOf(JsonNode property) {
		String type = property.path("type").asString("").replaceFirst("<.*", "");
		return ClassUtils.resolveClassName(type, ConfigurationMetadataTests.class.getClassLoader());
	}

	private String[] valuesOf(String name) {
		assertThat(this.hints).containsKey(name);
		return StreamSupport.stream(this.hints.get(name).path("values").spliterator(), false)
			.map((value) -> value.path("value").asString(""))
			.toArray(String[]::new);
	}

	private static String[] constantsOf(Class<?> type) {
		return Arrays.stream(type.getEnumConstants())
			.map((constant) -> constant.toString().toLowerCase(Locale.ROOT).replace('_', '-'))
			.toArray(String[]::new);
	}

	private record Leaf(String name, String[] defaultValue) {

	}

}
