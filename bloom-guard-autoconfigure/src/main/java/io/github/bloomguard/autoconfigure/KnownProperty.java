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

import java.lang.annotation.Annotation;
import java.lang.reflect.Constructor;
import java.lang.reflect.Parameter;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.boot.context.properties.bind.Name;
import org.springframework.boot.context.properties.source.ConfigurationProperty;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName;
import org.springframework.boot.context.properties.source.ConfigurationPropertyName.Form;
import org.springframework.boot.context.properties.source.ConfigurationPropertySource;
import org.springframework.core.ResolvableType;

/**
 * A property that there is, with {@code *} for the name of a filter or a cache.
 *
 * @param elements the elements of its name
 * @param values all values that it may have, none if they are many
 */
record KnownProperty(List<String> elements, List<String> values) {

	private static final String ANY = "*";

	private static final int MAX_DISTANCE = 3;

	/**
	 * How many properties are told at most.
	 */
	private static final int MAX_TOLD = 12;

	static KnownProperty of(String name) {
		return of(name, List.of());
	}

	private static KnownProperty of(String name, List<String> values) {
		return new KnownProperty(List.of(name.split("\\.")), values);
	}

	/**
	 * Return the properties that are bound to the constructor of a type.
	 */
	static Stream<KnownProperty> of(String prefix, Class<?> type) {
		Constructor<?> constructor = type.getDeclaredConstructors()[0];
		Parameter[] parameters = constructor.getParameters();
		Annotation[][] annotations = constructor.getParameterAnnotations();
		return IntStream.range(0, parameters.length)
			.boxed()
			.flatMap((i) -> of(prefix + "." + nameOf(parameters[i], annotations[i]),
					ResolvableType.forConstructorParameter(constructor, i)));
	}

	private static Stream<KnownProperty> of(String name, ResolvableType type) {
		Class<?> bound = type.toClass();
		return (bound == Map.class) ? of(name + "." + ANY, type.getGeneric(1))
				: bound.isRecord() ? of(name, bound) : Stream.of(of(name, valuesOf(bound)));
	}

	private static List<String> valuesOf(Class<?> bound) {
		return Stream.ofNullable(bound.getEnumConstants())
			.flatMap(Stream::of)
			.map((constant) -> ((Enum<?>) constant).name().toLowerCase(Locale.ROOT).replace('_', '-'))
			.toList();
	}

	/**
	 * Return a property as the first of the sources that has it says it.
	 */
	static Optional<ConfigurationProperty> set(ConfigurationPropertyName name,
			Iterable<ConfigurationPropertySource> sources) {
		return StreamSupport.stream(sources.spliterator(), false)
			.map((source) -> source.getConfigurationProperty(name))
			.filter(Objects::nonNull)
			.findFirst();
	}

	/**
	 * @param annotations its annotations, which it would read of all parameters again
	 */
	private static String nameOf(Parameter parameter, Annotation[] annotations) {
		return Stream.of(annotations)
			.filter(Name.class::isInstance)
			.map((name) -> ((Name) name).value())
			.findFirst()
			.orElseGet(() -> DataObjectPropertyName.toDashedForm(parameter.getName()));
	}

	/**
	 * Return the name of the property that was probably meant.
	 */
	static Optional<String> like(ConfigurationPropertyName name, List<KnownProperty> known) {
		return known.stream()
			.filter((property) -> property.distance(name) <= MAX_DISTANCE || property.endsLike(name))
			.min(Comparator
				.<KnownProperty>comparingInt((property) -> property.endsLike(name) ? 1 : property.distance(name))
				.thenComparingInt((property) -> property.distance(name)))
			.map((property) -> property.named(name, property.toString()));
	}

	/**
	 * Return the properties whose names begin with a name, and their values. Empty if
	 * there are none.
	 */
	static String below(ConfigurationPropertyName name, List<KnownProperty> known) {
		List<KnownProperty> below = known.stream()
			.filter((property) -> property.elements.size() > name.getNumberOfElements() && property.beginsWith(name))
			.toList();
		return below.stream()
			.limit(MAX_TOLD)
			.map((property) -> property.below(name) + (property.values.isEmpty() ? "" : " " + property.values))
			.collect(Collectors.joining(", ", "", (below.size() > MAX_TOLD) ? ", and others" : ""));
	}

	private String below(ConfigurationPropertyName name) {
		return IntStream.range(0, this.elements.size())
			.mapToObj((i) -> !this.elements.get(i).equals(ANY) ? this.elements.get(i)
					: (i < name.getNumberOfElements()) ? name.getElement(i, Form.ORIGINAL) : "<name>")
			.collect(Collectors.joining("."));
	}

	static String written(ConfigurationPropertyName name) {
		StringBuilder written = new StringBuilder();
		for (int i = 0; i < name.getNumberOfElements(); i++) {
			String element = name.getElement(i, Form.ORIGINAL);
			written.append(name.isNumericIndex(i) ? "[" + element + "]" : ((i > 0) ? "." : "") + element);
		}
		return written.toString();
	}

	/**
	 * Return whether it has this name, or is a list of which this is an element.
	 */
	boolean is(ConfigurationPropertyName name) {
		int size = this.elements.size();
		return (name.getNumberOfElements() == size
				|| (name.getNumberOfElements() == size + 1 && name.isLastElementIndexed()))
				&& beginsWith(name.chop(size));
	}

	private boolean beginsWith(ConfigurationPropertyName name) {
		return IntStream.range(0, name.getNumberOfElements())
			.allMatch((i) -> this.elements.get(i).equals(ANY)
					|| uniform(this.elements.get(i)).equals(name.getElement(i, Form.UNIFORM)));
	}

	/**
	 * Return a text with the name of the filter or cache that another name has.
	 */
	String named(ConfigurationPropertyName name, String text) {
		int place = this.elements.indexOf(ANY);
		return (place < 0) ? text : text.replace(ANY,
				(place < name.getNumberOfElements() - 1) ? name.getElement(place, Form.ORIGINAL) : "<name>");
	}

	private int distance(ConfigurationPropertyName name) {
		return distance(
				IntStream.range(0, this.elements.size())
					.mapToObj((i) -> (this.elements.get(i).equals(ANY) && i < name.getNumberOfElements())
							? name.getElement(i, Form.UNIFORM) : uniform(this.elements.get(i)))
					.collect(Collectors.joining(".")),
				IntStream.range(0, name.getNumberOfElements())
					.mapToObj((i) -> name.getElement(i, Form.UNIFORM))
					.collect(Collectors.joining(".")));
	}

	/**
	 * Return whether it is the property of the same name, or of almost the same, at
	 * another place.
	 */
	private boolean endsLike(ConfigurationPropertyName name) {
		String last = uniform(this.elements.get(this.elements.size() - 1));
		String written = name.getLastElement(Form.UNIFORM);
		return last.endsWith(written) || distance(last, written) <= written.length() / MAX_DISTANCE;
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

	@Override
	public String toString() {
		return String.join(".", this.elements);
	}

}
