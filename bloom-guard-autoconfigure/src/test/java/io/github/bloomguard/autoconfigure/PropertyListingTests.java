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
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

import io.github.bloomguard.testsupport.ConfigurationMetadata;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import org.springframework.boot.env.YamlPropertySourceLoader;
import org.springframework.core.env.EnumerablePropertySource;
import org.springframework.core.io.FileSystemResource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the listing of all properties, which is written from what editors know of
 * them.
 */
class PropertyListingTests {

	private static final Path LISTING = Path.of("..", "docs", "reference", "properties.yml");

	private static final String DEFAULTS = "bloom-guard.defaults.";

	private static final int WIDTH = 120;

	@Test
	void listingHasEachPropertyWithItsDefaultAndItsMeaning() throws IOException {
		Listing listing = new Listing();
		ConfigurationMetadata.read().properties().forEach((name, property) -> {
			if (!name.startsWith(DEFAULTS)) {
				listing.add(example(name), property);
			}
		});
		Path written = Files.writeString(Path.of("target", "properties.yml"), listing.text());
		assertThat(LISTING).as("copy %s to it", written.toAbsolutePath()).hasSameTextualContentAs(written);
	}

	@Test
	void listingCanBeRead() throws IOException {
		Map<String, Object> read = new TreeMap<>();
		for (var source : new YamlPropertySourceLoader().load("listing", new FileSystemResource(LISTING))) {
			EnumerablePropertySource<?> values = (EnumerablePropertySource<?>) source;
			for (String name : values.getPropertyNames()) {
				read.put(name, String.valueOf(values.getProperty(name)));
			}
		}
		Map<String, Object> defaults = new TreeMap<>();
		ConfigurationMetadata.read().properties().forEach((name, property) -> {
			if (!name.startsWith(DEFAULTS) && property.has("defaultValue")) {
				defaults.put(example(name), property.path("defaultValue").asString());
			}
		});
		assertThat(read).isEqualTo(defaults);
	}

	private static String example(String property) {
		return property.replace("filters.*", "filters.products").replace("caches.*", "caches.products");
	}

	private static final class Listing {

		private final StringBuilder text = new StringBuilder("""
				# All properties of bloom-guard. What is commented out has no default.
				# bloom-guard.defaults has what a filter has, for all filters.
				""");

		private final Set<String> opened = new HashSet<>();

		void add(String name, JsonNode property) {
			String indentation = open(name);
			String last = name.substring(name.lastIndexOf('.') + 1);
			comment(indentation, property.path("description").asString());
			if (property.path("type").asString("").startsWith("java.util.Map")) {
				this.opened.add(name);
				this.text.append(indentation).append(last).append(":\n");
			}
			else if (property.has("defaultValue")) {
				this.text.append(indentation)
					.append(last)
					.append(": ")
					.append(property.path("defaultValue").asString())
					.append('\n');
			}
			else {
				this.text.append(indentation).append("# ").append(last).append(":\n");
			}
		}

		private String open(String name) {
			int depth = 0;
			for (int dot = name.indexOf('.'); dot > 0; dot = name.indexOf('.', dot + 1)) {
				String group = name.substring(0, dot);
				if (this.opened.add(group)) {
					this.text.append("  ".repeat(depth))
						.append(group.substring(group.lastIndexOf('.') + 1))
						.append(":\n");
				}
				depth++;
			}
			return "  ".repeat(depth);
		}

		private void comment(String indentation, String description) {
			StringBuilder line = new StringBuilder(indentation + "#");
			for (String word : description.split(" ")) {
				if (line.length() + word.length() >= WIDTH) {
					this.text.append(line).append('\n');
					line = new StringBuilder(indentation + "#");
				}
				line.append(' ').append(word);
			}
			this.text.append(line).append('\n');
		}

		String text() {
			return this.text.toString();
		}

	}

}
