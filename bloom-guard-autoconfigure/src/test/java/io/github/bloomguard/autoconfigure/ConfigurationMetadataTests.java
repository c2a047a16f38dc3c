package io.github.bloomguard.autoconfigure;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what editors know about the properties.
 */
class ConfigurationMetadataTests {

	private final Map<String, JsonNode> properties = read();

	@Test
	void eachPropertyOfTheContractIsKnown() {
		assertThat(this.properties).containsKeys("bloom-guard.enabled", "bloom-guard.key-prefix", "bloom-guard.timeout",
				"bloom-guard.add-timeout", "bloom-guard.filters", "bloom-guard.cache.jitter",
				"bloom-guard.cache.empty-ttl", "bloom-guard.cache.single-flight");
	}

	@Test
	void eachPropertyIsDescribedByASentence() {
		assertThat(this.properties)
			.allSatisfy((name, property) -> assertThat(property.path("description").asString("")).as(name)
				.matches("(?s)[A-Z].{10,}\\."));
	}

	@Test
	void defaultsAreKnown() {
		assertThat(this.properties).allSatisfy((name, property) -> {
			boolean fromAnother = property.path("description").asString("").contains("if it is not '");
			if (!fromAnother && !property.path("type").asString("").startsWith("java.util.Map")) {
				assertThat(property.has("defaultValue")).as(name).isTrue();
			}
		});
		assertThat(this.properties.get("bloom-guard.timeout").path("defaultValue").asString("")).isEqualTo("100ms");
		assertThat(this.properties.get("bloom-guard.key-prefix").path("defaultValue").asString(""))
			.isEqualTo("bloom-guard");
		assertThat(this.properties.get("bloom-guard.enabled").path("defaultValue").asBoolean(false)).isTrue();
	}

	private static Map<String, JsonNode> read() {
		Map<String, JsonNode> properties = new HashMap<>();
		try {
			for (URL url : Collections.list(ConfigurationMetadataTests.class.getClassLoader()
				.getResources("META-INF/spring-configuration-metadata.json"))) {
				try (InputStream in = url.openStream()) {
					for (JsonNode property : JsonMapper.shared().readTree(in).path("properties")) {
						String name = property.path("name").asString("");
						if (name.startsWith("bloom-guard.")) {
							properties.put(name, property);
						}
					}
				}
			}
		}
		catch (IOException ex) {
			throw new IllegalStateException(ex);
		}
		return properties;
	}

}
