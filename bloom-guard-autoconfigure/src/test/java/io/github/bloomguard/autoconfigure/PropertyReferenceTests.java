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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.bloomguard.testsupport.ConfigurationMetadata;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.util.ClassUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the reference of the properties. Its text is that of their Javadoc, so each
 * of them is described once.
 */
class PropertyReferenceTests {

	private static final Path REFERENCE = Path.of("..", "docs", "reference", "properties.md");

	private static final String INTRODUCTION = """
			# Properties

			<!-- Made from the Javadoc of the properties by PropertyReferenceTests. Change the Javadoc, and copy what the test writes to target. -->

			[properties.yml](properties.yml) has the same as a file to copy from. A misspelt property stops the start, and the message names the one that was probably meant. A misspelt variable of the environment `BLOOMGUARD_FILTERS_…` is warned of.
			""";

	@Test
	void referenceHasEachPropertyWithItsTypeItsDefaultAndItsJavadoc() throws IOException {
		Map<String, JsonNode> properties = ConfigurationMetadata.read().properties();
		StringBuilder reference = new StringBuilder(INTRODUCTION);
		for (Section section : Section.values()) {
			reference.append(section.introduction);
			properties.forEach((name, property) -> {
				if (Section.of(name) == section) {
					reference.append(row(name.substring(section.prefix.length()), property));
				}
			});
		}
		Path written = Files.writeString(Path.of("target", "properties.md"), reference);
		assertThat(REFERENCE).as("copy %s to it", written.toAbsolutePath()).hasSameTextualContentAs(written);
	}

	private static String row(String name, JsonNode property) {
		return "| `%s` | %s | %s | %s |\n".formatted(name, type(property.path("type").asString()),
				property.has("defaultValue") ? "`" + property.path("defaultValue").asString() + "`" : "–",
				property.path("description")
					.asString()
					.replaceAll("(?<!\\w)'([^']+)'(?!\\w)", "`$1`")
					.replace("|", "\\|"));
	}

	private static String type(String type) {
		String simple = type.replaceAll("<.*", "").replaceAll(".*\\.", "");
		return switch (simple) {
			case "Map" -> "by name";
			case "List" -> "list of texts";
			case "String" -> "text";
			case "DataSize" -> "data size";
			case "Boolean", "Double", "Duration", "Integer", "Long" -> simple.toLowerCase(Locale.ROOT);
			default -> Arrays.stream(ClassUtils.resolveClassName(type, null).getEnumConstants())
				.map((constant) -> "`" + ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-') + "`")
				.collect(Collectors.joining(", "));
		};
	}

	/**
	 * A table of the reference, and what stands above it.
	 */
	private enum Section {

		GUARD("bloom-guard.", """

				## `bloom-guard`
				"""),

		FILTER("bloom-guard.filters.*.",
				"""

						## `bloom-guard.filters.<name>`

						`bloom-guard.defaults` has the same properties, for all filters that do not say otherwise. The guides say which of them a task needs: [who writes the rows](../README.md#how-i-write-rows-and-what-i-configure), [where keys come from](../guides/key-sources.md), [sizes and memory](../guides/sizes-and-memory.md), [rows of other programs](../guides/rows-of-other-programs.md).
						"""),

		CACHE("bloom-guard.cache.", """

				## `bloom-guard.cache`

				For [guarded caches](../guides/caches.md) in Redis.
				"""),

		ONE_CACHE("bloom-guard.cache.caches.*.", """

				## `bloom-guard.cache.caches.<name>`

				Without a value of its own, a cache has that of `bloom-guard.cache`.
				"""),

		MANAGEMENT("management.", """

				## `management`
				""");

		private final String prefix;

		private final String introduction;

		Section(String prefix, String introduction) {
			this.prefix = prefix;
			this.introduction = introduction + "\n| property | type | default | meaning |\n| --- | --- | --- | --- |\n";
		}

		static @Nullable Section of(String property) {
			if (property.startsWith("bloom-guard.defaults.")) {
				return null;
			}
			return Arrays.stream(values())
				.filter((section) -> property.startsWith(section.prefix))
				.reduce((one, other) -> (other.prefix.length() > one.prefix.length()) ? other : one)
				.orElse(null);
		}

	}

}
