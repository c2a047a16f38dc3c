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
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What editors know about the properties of the guard, by their names.
 *
 * @param properties the properties
 * @param hints which values they may have
 */
public record ConfigurationMetadata(Map<String, JsonNode> properties, Map<String, JsonNode> hints) {

	public static ConfigurationMetadata read() {
		ConfigurationMetadata metadata = new ConfigurationMetadata(new TreeMap<>(), new TreeMap<>());
		try {
			for (URL url : Collections.list(ConfigurationMetadata.class.getClassLoader()
				.getResources("META-INF/spring-configuration-metadata.json"))) {
				try (InputStream in = url.openStream()) {
					JsonNode json = JsonMapper.shared().readTree(in);
					collect(json.path("properties"), metadata.properties);
					collect(json.path("hints"), metadata.hints);
				}
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		return metadata;
	}

	private static void collect(JsonNode items, Map<String, JsonNode> collected) {
		for (JsonNode item : items) {
			String name = item.path("name").asString("");
			if (name.startsWith("bloom-guard.") || name.startsWith("management.health.bloom-guard.")
					|| name.startsWith("management.endpoint.bloomguard.")) {
				collected.put(name, item);
			}
		}
	}

}
