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

package io.github.bloomguard.guard;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import io.github.bloomguard.KeyEquality;
import io.github.bloomguard.KeyEquality.Difference;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.filter.TextForms;
import io.github.bloomguard.generation.Origin;
import org.jspecify.annotations.Nullable;

/**
 * Describes where the keys of a filter come from.
 */
final class SourceOrigin {

	private static final int ORIGIN_BYTES = 8;

	private SourceOrigin() {
	}

	/**
	 * Return where the keys of a filter come from, and in which type of filter they are:
	 * a generation of another origin is not asked. Instances of the same application with
	 * the same configuration and database agree on it.
	 * @param feed what tells apart how rows that others write are found
	 * @param changes the database where they are found, {@code null} if that is not told
	 * @param text what is ignored in texts where no database can be asked
	 * @return the origin, which asks the databases later, if there are any
	 */
	static Origin find(GuardEnvironment environment, List<KeySource> keys, List<String> feed,
			@Nullable Supplier<String> changes, String type, Set<Difference> text) {
		String configured = hash(configured(environment, keys, feed, type));
		String application = hash(List.of(environment.application()));
		if (keys.isEmpty() && changes == null) {
			return Origin.of(Origin.located(configured, application, databases(keys, changes, text)));
		}
		return new Origin(configured, application, () -> databases(keys, changes, text), environment.rewritten());
	}

	/**
	 * The version of the schema comes last: instances of another one write the same
	 * filters.
	 */
	private static String databases(List<KeySource> keys, @Nullable Supplier<String> changes,
			Set<Difference> otherwise) {
		Set<String> databases = new TreeSet<>();
		keys.stream().map(KeySource::database).forEach(databases::add);
		if (changes != null) {
			databases.add(changes.get());
		}
		boolean own = !keys.isEmpty() && keys.stream().allMatch(KeySource::isOwn);
		TextForms text = new TextForms(keys.stream()
			.flatMap((source) -> source.equality().map(KeyEquality::ignored).orElse(otherwise).stream())
			.toList());
		String version = hash(keys.stream().map(KeySource::schemaVersion).sorted().toList());
		return databases.stream()
			.map((database) -> database.isEmpty() ? Origin.UNKNOWN_DATABASE : hash(List.of(database)))
			.collect(Collectors.joining("+", own ? Origin.OWN : "", "")) + "-" + Origin.version(version, text);
	}

	private static List<String> configured(GuardEnvironment environment, List<KeySource> keys, List<String> feed,
			String type) {
		List<String> parts = new ArrayList<>(
				List.of(String.valueOf(KeyFormat.VERSION), environment.application(), type));
		keys.stream().map(KeySource::fingerprint).sorted().forEach(parts::add);
		environment.format()
			.converters()
			.stream()
			.map((converter) -> "converter " + converter.type().getName() + " " + converter.getClass().getName())
			.forEach(parts::add);
		parts.addAll(feed);
		return parts;
	}

	private static String hash(List<String> parts) {
		try {
			MessageDigest digest = MessageDigest.getInstance("SHA-256");
			for (String part : parts) {
				byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
				digest.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
				digest.update(bytes);
			}
			return HexFormat.of().formatHex(digest.digest(), 0, ORIGIN_BYTES);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Each Java platform has SHA-256", ex);
		}
	}

}
