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

package io.github.bloomguard.source;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.bloomguard.KeyConverter;
import io.github.bloomguard.KeyEquality;
import io.github.bloomguard.KeyEquality.Difference;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.feed.FeedDefinition;
import io.github.bloomguard.filter.AsciiFolding;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.filter.KeySpellings;
import io.github.bloomguard.filter.TextForms;
import io.github.bloomguard.generation.Origin;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.util.ClassUtils;

/**
 * Describes where the keys of a filter come from, and in which type of filter they are: a
 * generation of another origin is not asked. Instances of the same application with the
 * same configuration and database agree on it.
 *
 * @param application the name of the application, the same in all instances
 * @param rewritten whether each start of the application writes rows whose keys are not
 * added
 * @param type the type of the filter
 */
public record SourceOrigin(String application, boolean rewritten, KeyFormat format, FilterSources sources,
		String type) {

	private static final Log logger = LogFactory.getLog(SourceOrigin.class);

	private static final int ORIGIN_BYTES = 8;

	/**
	 * Return the origin, which asks the databases later, if there are any.
	 */
	public Origin find() {
		String configured = Origin.inThisForm(hash(configured()));
		String owner = application(this.application);
		return (this.sources.keys().isEmpty() && changes().findAny().isEmpty())
				? Origin.of(Origin.located(configured, owner, databases()))
				: new Origin(configured, owner, this::databases, this::version, this.rewritten);
	}

	/**
	 * Return an application as it stands in its origins.
	 */
	public static String application(String name) {
		return hash(List.of(name));
	}

	/**
	 * Return what tells the database apart where rows are found that others write,
	 * nothing if that is not told.
	 */
	private Stream<Supplier<String>> changes() {
		return Stream.ofNullable(this.sources.feed()).flatMap((feed) -> Stream.ofNullable(feed.database()));
	}

	/**
	 * The version of the schema comes last: instances of another one write the same
	 * filters.
	 */
	private String databases() {
		List<KeySource> keys = this.sources.keys();
		Stream<String> found = Stream.concat(keys.stream().map(KeySource::database), changes().map(Supplier::get));
		Set<String> databases = found.collect(Collectors.toCollection(TreeSet::new));
		boolean own = !keys.isEmpty() && keys.stream().allMatch(KeySource::isOwn);
		TextForms text = text(keys);
		if (text.areUnknown()) {
			logger.warn("The filter '" + keys.get(0).filter() + "' never calls a key absent, as nothing can tell which"
					+ " texts are one key: let plain columns give the keys");
		}
		String version = version();
		return databases.stream()
			.map((database) -> database.isEmpty() ? Origin.UNKNOWN_DATABASE : hash(List.of(database)))
			.collect(Collectors.joining("+", own ? Origin.OWN : "", "")) + "-" + Origin.version(version, text);
	}

	private TextForms text(List<KeySource> keys) {
		Set<Difference> ignored = EnumSet.noneOf(Difference.class);
		Set<Optional<Map<String, String>>> letters = new HashSet<>();
		for (KeySource source : keys) {
			Optional<KeyEquality> equality = source.equality();
			Set<Difference> some = equality.map(KeyEquality::ignored).orElse(this.sources.ignored());
			ignored.addAll(some);
			if (!some.isEmpty()) {
				letters.add(equality.flatMap(KeyEquality::letters));
			}
		}
		// those of several sources may be of several collations
		AsciiFolding folding = (letters.size() == 1) ? letters.iterator().next().map(AsciiFolding::new).orElse(null)
				: null;
		return new TextForms(ignored, folding,
				KeySpellings.together(keys.stream()
					.map((source) -> source.equality().map(KeyEquality::spellings).orElse(List.of()))
					.toList()));
	}

	private String version() {
		return hash(this.sources.keys().stream().map(KeySource::schemaVersion).sorted().toList());
	}

	private List<String> configured() {
		List<String> parts = new ArrayList<>(List.of(this.application, this.type));
		this.sources.keys().stream().map(SourceOrigin::fingerprint).sorted().forEach(parts::add);
		for (KeyConverter<?> converter : this.format.converters()) {
			parts.add("converter " + converter.type().getName() + " " + converter.getClass().getName() + " "
					+ hash(ClassCode.of(converter)));
		}
		Stream.ofNullable(this.sources.feed()).map(FeedDefinition::origin).forEach(parts::addAll);
		return parts;
	}

	/**
	 * A source that does not say what it is is known by its class, of whatever version.
	 */
	private static String fingerprint(KeySource source) {
		String fingerprint = source.fingerprint();
		boolean silent = fingerprint.equals(ClassUtils.getUserClass(source).getName());
		return silent ? fingerprint + " " + hash(ClassCode.of(source)) : fingerprint;
	}

	private static String hash(List<String> parts) {
		try {
			String text = parts.stream()
				.map((part) -> part.getBytes(StandardCharsets.UTF_8).length + ":" + part)
				.collect(Collectors.joining());
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(digest, 0, ORIGIN_BYTES);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Each Java platform has SHA-256", ex);
		}
	}

}
