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

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.net.URL;
import java.util.Arrays;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.cache.autoconfigure.BloomGuardCacheProperties;
import io.github.bloomguard.testsupport.ConfigurationMetadata;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.boot.context.properties.source.ConfigurationPropertySources;
import org.springframework.mock.env.MockEnvironment;
import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for what editors know about the properties.
 */
class ConfigurationMetadataTests {

	private static final String FILTER = "bloom-guard.filters.*";

	private static final String CACHE = "bloom-guard.cache.caches.*";

	private static final String DEFAULTS = "bloom-guard.defaults";

	private final ConfigurationMetadata metadata = ConfigurationMetadata.read();

	private final Map<String, JsonNode> properties = this.metadata.properties();

	private final Map<String, JsonNode> hints = this.metadata.hints();

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
			if (type.isEnum() && name.startsWith("bloom-guard.") && !name.startsWith(FILTER)) {
				assertThat(valuesOf(name)).as(name).containsExactly(constantsOf(type));
			}
		});
	}

	@Test
	void eachKindOfFilterIsSuggestedAndOthersAreAllowed() {
		assertThat(valuesOf(DEFAULTS + ".type")).contains("redis", "redis-bloom", "redis-cuckoo", "memory");
		assertThat(providerOf(DEFAULTS + ".type")).isEqualTo("any");
	}

	@Test
	void classesAreSuggestedAsEntity() {
		assertThat(providerOf(DEFAULTS + ".entity")).isEqualTo("class-reference");
	}

	@Test
	void namesInFilesAreThoseOfPropertiesAsEditorsReadThem() throws IOException {
		for (URL file : Collections
			.list(getClass().getClassLoader().getResources("META-INF/spring-configuration-metadata.json"))) {
			try (InputStream in = file.openStream()) {
				assertThat(JsonMapper.shared().readTree(in).findValuesAsString("name")).as(file.toString())
					.filteredOn((name) -> name.startsWith("bloom-guard"))
					.allMatch((name) -> name.matches("[a-z-]+(\\.[a-z-]+)*"));
			}
		}
	}

	@Test
	void formerPropertyStopsTheStartAndNamesWhatIsWrittenInstead() {
		assertThat(this.metadata.former()).containsKeys(DEFAULTS + ".audit.sample-rate", DEFAULTS + ".proof-calls",
				"bloom-guard.cache.evict-wins");
		assertThat(this.metadata.former()).allSatisfy((name, property) -> {
			JsonNode deprecation = property.path("deprecation");
			String replacement = deprecation.path("replacement").asString("");
			assertThat(deprecation.path("level").asString("")).isEqualTo("error");
			assertThat(deprecation.path("reason").asString("")).matches("[A-Z].{10,}\\.");
			MockEnvironment environment = new MockEnvironment().withProperty(name, "1");
			ConfigurationPropertySources.attach(environment);
			assertThatExceptionOfType(InvalidGuardException.class)
				.isThrownBy(() -> UnknownProperties.check(environment))
				.satisfies((ex) -> assertThat(ex.getRemedy())
					.startsWith(replacement.isEmpty() ? "Remove it: " : "Use " + replacement));
			if (!replacement.isEmpty()) {
				assertThat(this.properties).containsKey(replacement);
			}
		});
	}

	@Test
	void eachHintIsForAProperty() {
		assertThat(this.hints.keySet()).contains("bloom-guard.filters.keys", DEFAULTS + ".caches",
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

	private String providerOf(String name) {
		assertThat(this.hints).containsKey(name);
		return this.hints.get(name).path("providers").path(0).path("name").asString("");
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
