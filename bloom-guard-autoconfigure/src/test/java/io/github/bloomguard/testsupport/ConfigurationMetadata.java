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

package io.github.bloomguard.testsupport;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What editors know about the properties of the guard, by their names. In those of the
 * value of a map, {@code *} stands for its key. No file has such names: an editor finds
 * the properties at the type of the value, of which Spring Boot keeps them in a file of
 * its own.
 *
 * @param properties the properties
 * @param hints which values they may have
 * @param former the properties that are no longer there
 */
public record ConfigurationMetadata(Map<String, JsonNode> properties, Map<String, JsonNode> hints,
		Map<String, JsonNode> former) {

	private static final Pattern MAP = Pattern.compile("java\\.util\\.Map<java\\.lang\\.String,(io\\.github\\..*)>");

	public static ConfigurationMetadata read() {
		ConfigurationMetadata metadata = new ConfigurationMetadata(new TreeMap<>(), new TreeMap<>(), new TreeMap<>());
		for (JsonNode file : files("META-INF/spring-configuration-metadata.json")) {
			metadata.collect(file.path("properties"));
			for (JsonNode hint : file.path("hints")) {
				if (isOfGuard(nameOf(hint))) {
					metadata.hints.put(nameOf(hint), hint);
				}
			}
		}
		return metadata;
	}

	private void collect(JsonNode properties) {
		for (JsonNode property : properties) {
			String name = nameOf(property);
			if (isOfGuard(name)) {
				(property.has("deprecation") ? this.former : this.properties).put(name, property);
				Matcher map = MAP.matcher(property.path("type").asString(""));
				if (map.matches()) {
					collectValues(name, map.group(1));
				}
			}
		}
	}

	private void collectValues(String map, String type) {
		for (JsonNode file : files("META-INF/spring/configuration-metadata/" + type + ".json")) {
			for (JsonNode property : file.path("properties")) {
				this.properties.put(map + ".*." + nameOf(property), property);
			}
		}
	}

	private static List<JsonNode> files(String name) {
		List<JsonNode> files = new ArrayList<>();
		try {
			for (URL url : Collections.list(ConfigurationMetadata.class.getClassLoader().getResources(name))) {
				try (InputStream in = url.openStream()) {
					files.add(JsonMapper.shared().readTree(in));
				}
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		return files;
	}

	private static boolean isOfGuard(String name) {
		return name.startsWith("bloom-guard.") || name.startsWith("management.health.bloom-guard.")
				|| name.startsWith("management.endpoint.bloomguard.");
	}

	private static String nameOf(JsonNode item) {
		return item.path("name").asString("");
	}

}
