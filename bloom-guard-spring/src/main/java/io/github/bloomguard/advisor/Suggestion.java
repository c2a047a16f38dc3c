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

package io.github.bloomguard.advisor;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.filter.FilterSpecification;
import org.jspecify.annotations.Nullable;

/**
 * A configuration by which a filter spares loads that find nothing.
 *
 * @param annotation the annotation to put on the method, {@code null} if it has one
 * @param refusal why that would stop the start as it is, and what to write instead;
 * {@code null} if it would not
 */
public record Suggestion(Map<String, String> properties, @Nullable String annotation, @Nullable String refusal,
		long sizeInBytes) {

	private static final String PREFIX = "bloom-guard.filters.";

	/**
	 * A filter of this size is so small that a lower estimate is not worth it.
	 */
	private static final long LEAST_INSERTIONS = 1_000_000;

	static Suggestion enforce(String filter, long keys, KnownFilters filters) {
		return new Suggestion(Map.of(PREFIX + filter + ".mode", "enforce"), null, null,
				sizeInBytes(filter, insertions(keys), filters));
	}

	static Suggestion filter(LookUp lookUp, List<String> caches, long keys, @Nullable Class<?> missing,
			Map<String, String> source, KnownFilters filters, AnnotationCheck check) {
		String filter = name(lookUp, caches, filters);
		long insertions = insertions(keys);
		Map<String, String> properties = new LinkedHashMap<>();
		((source.isEmpty() || lookUp.isInLowerCase()) ? Map.of("warm-up.query", query(lookUp)) : source)
			.forEach((name, value) -> properties.put(PREFIX + filter + "." + name, value));
		properties.put(PREFIX + filter + ".expected-insertions", Long.toString(insertions));
		if (!caches.isEmpty()) {
			properties.put(PREFIX + filter + ".caches", String.join(",", caches));
		}
		String annotation = "@BloomGuarded(filter = \"" + filter + "\", key = \"" + lookUp.key() + "\""
				+ ((missing != null) ? ", missing = " + missing.getSimpleName() + ".class" : "") + ")";
		InvalidGuardException refusal = check.refusal(lookUp.method(), filter, lookUp.key(), missing,
				!caches.isEmpty());
		return new Suggestion(properties, annotation,
				(refusal != null) ? refusal.getProblem() + ": " + refusal.getRemedy() : null,
				sizeInBytes(filter, insertions, filters));
	}

	private static String name(LookUp lookUp, List<String> caches, KnownFilters filters) {
		String name = (caches.isEmpty() ? lookUp.resultType().getSimpleName() : caches.get(0))
			.replaceAll("[^A-Za-z0-9._-]", "-");
		return (filters.mode(name) == null) ? name : name + "-by-" + String.join("-", lookUp.names());
	}

	private static String query(LookUp lookUp) {
		List<String> columns = new ArrayList<>();
		for (int part = 0; part < lookUp.parameters().size(); part++) {
			String column = column(lookUp.names().get(part));
			columns.add(lookUp.isInLowerCase(part) ? "lower(" + column + ")" : column);
		}
		return "select " + String.join(", ", columns) + " from <table>";
	}

	private static String column(String name) {
		return name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
	}

	/**
	 * Leave room for rows that were not asked for yet, and round up.
	 */
	private static long insertions(long keys) {
		long room = Math.max(LEAST_INSERTIONS, 2 * keys);
		long digit = (long) Math.pow(10, Math.floor(Math.log10(room)));
		return (room + digit - 1) / digit * digit;
	}

	private static long sizeInBytes(String filter, long insertions, KnownFilters filters) {
		return (new FilterSpecification(filter, insertions, filters.falsePositiveProbability()).bits() + 7) / 8;
	}

	@Override
	public String toString() {
		String line = this.properties.entrySet()
			.stream()
			.map((property) -> property.getKey() + "=" + property.getValue())
			.collect(Collectors.joining(" "));
		return line + ((this.annotation != null) ? " and " + this.annotation : "")
				+ ((this.refusal != null) ? ", but " + this.refusal : "");
	}

}
