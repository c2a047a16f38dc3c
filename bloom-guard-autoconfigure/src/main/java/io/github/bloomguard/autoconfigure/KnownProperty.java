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
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.util.FileCopyUtils;

/**
 * A property that there is, with {@code *} for the name of a filter or a cache, as Spring
 * Boot's metadata of properties have it.
 *
 * @param pattern its name, or a text with it
 */
record KnownProperty(String pattern) {

	private static final String METADATA = "META-INF/spring-configuration-metadata.json";

	private static final int MAX_DISTANCE = 3;

	/**
	 * Return the name of the property that was probably meant.
	 */
	static Optional<String> like(ConfigurationPropertyName name) {
		return all().filter((known) -> known.distance(name) <= MAX_DISTANCE || known.endsLike(name))
			.min(Comparator.<KnownProperty>comparingInt((known) -> known.endsLike(name) ? 1 : known.distance(name))
				.thenComparingInt((known) -> known.distance(name)))
			.map((known) -> known.named(name));
	}

	static String written(ConfigurationPropertyName name) {
		StringBuilder written = new StringBuilder();
		for (int i = 0; i < name.getNumberOfElements(); i++) {
			String element = name.getElement(i, Form.ORIGINAL);
			written.append(name.isNumericIndex(i) ? "[" + element + "]" : ((i > 0) ? "." : "") + element);
		}
		return written.toString();
	}

	private static Stream<KnownProperty> all() {
		try {
			return Collections.list(KnownProperty.class.getClassLoader().getResources(METADATA))
				.stream()
				.flatMap(KnownProperty::names)
				.filter((name) -> name.startsWith("bloom-guard."))
				.map(KnownProperty::new);
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	private static Stream<String> names(URL metadata) {
		try (Reader reader = new InputStreamReader(metadata.openStream(), StandardCharsets.UTF_8)) {
			Object properties = JsonParserFactory.getJsonParser()
				.parseMap(FileCopyUtils.copyToString(reader))
				.get("properties");
			return (properties instanceof List<?> list)
					? list.stream().map((property) -> String.valueOf(((Map<?, ?>) property).get("name")))
					: Stream.empty();
		}
		catch (IOException ex) {
			throw new UncheckedIOException(ex);
		}
	}

	boolean is(ConfigurationPropertyName name) {
		return distance(name) == 0;
	}

	/**
	 * Return the text with the name of the filter or cache that another name has.
	 */
	String named(ConfigurationPropertyName name) {
		int place = List.of(this.pattern.split("\\.")).indexOf("*");
		return (place < 0) ? this.pattern : this.pattern.replace("*",
				(place < name.getNumberOfElements() - 1) ? name.getElement(place, Form.ORIGINAL) : "<name>");
	}

	private int distance(ConfigurationPropertyName name) {
		String[] elements = this.pattern.split("\\.");
		for (int i = 0; i < elements.length; i++) {
			elements[i] = (elements[i].equals("*") && i < name.getNumberOfElements()) ? name.getElement(i, Form.UNIFORM)
					: uniform(elements[i]);
		}
		return distance(String.join(".", elements),
				String.join(".",
						IntStream.range(0, name.getNumberOfElements())
							.mapToObj((i) -> name.getElement(i, Form.UNIFORM))
							.toList()));
	}

	/**
	 * Return whether it is the property of the same name at another place.
	 */
	private boolean endsLike(ConfigurationPropertyName name) {
		return uniform(this.pattern.substring(this.pattern.lastIndexOf('.') + 1))
			.endsWith(name.getLastElement(Form.UNIFORM));
	}

	private static String uniform(String element) {
		return element.replace("-", "");
	}

	/**
	 * Return how many letters differ (Levenshtein 1966).
	 */
	private static int distance(String one, String other) {
		int[] row = IntStream.rangeClosed(0, other.length()).toArray();
		for (int i = 1; i <= one.length(); i++) {
			int diagonal = row[0];
			row[0] = i;
			for (int j = 1; j <= other.length(); j++) {
				int changed = diagonal + ((one.charAt(i - 1) != other.charAt(j - 1)) ? 1 : 0);
				diagonal = row[j];
				row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
			}
		}
		return row[other.length()];
	}

}
