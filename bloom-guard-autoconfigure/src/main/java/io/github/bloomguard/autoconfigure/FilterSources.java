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

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.stream.Collectors;

import io.github.bloomguard.KeyConverter;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.TextEquality;
import io.github.bloomguard.catchup.CatchUpSource;
import io.github.bloomguard.catchup.CatchUpSpecification;
import io.github.bloomguard.catchup.CheckpointStore;
import io.github.bloomguard.catchup.FeedSpecification;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.warmup.SourceScan;
import io.github.bloomguard.warmup.WarmUpBulkhead;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Finds the sources of the keys of filters, and describes their origin.
 */
final class FilterSources {

	private static final int ORIGIN_BYTES = 8;

	private final String application;

	private final List<KeyConverter<?>> converters;

	private final KeyFormat format;

	private final KeySources keySources;

	private final ObjectProvider<QuerySources> querySources;

	private final WarmUpBulkhead bulkhead;

	private final boolean rewritten;

	/**
	 * @param rewritten whether each start of the application writes rows whose keys are
	 * not added
	 */
	FilterSources(String application, List<KeyConverter<?>> converters, KeyFormat format, KeySources keySources,
			ObjectProvider<QuerySources> querySources, boolean rewritten, WarmUpBulkhead bulkhead) {
		this.application = application;
		this.converters = converters;
		this.format = format;
		this.keySources = keySources;
		this.querySources = querySources;
		this.rewritten = rewritten;
		this.bulkhead = bulkhead;
	}

	List<KeySource> keys(String name) {
		return this.keySources.find(name);
	}

	CatchUpSource changes(CatchUpSpecification catchUp, BloomGuardProperties.Filter filter) {
		return ConfiguredKeySources.require(this.querySources, catchUp.filter(), "catch-up.query", "remove the query")
			.changes(catchUp, filter.warmUp());
	}

	SourceScan scan(String name, List<KeySource> keys, Consumer<Generation> beforeFirst) {
		return new SourceScan(name, keys, this.format, this.bulkhead, beforeFirst);
	}

	/**
	 * Give a generation its first checkpoint, before the scan begins, so that each row is
	 * either in the scan or after the checkpoint.
	 */
	static void setCheckpoint(Generation generation, CatchUpSource changes, CheckpointStore checkpoints) {
		if (!checkpoints.start(generation.id(), changes.start()).join()) {
			throw new IllegalStateException("Another builder took over before the scan");
		}
	}

	/**
	 * Return where the keys of a filter come from, and in which type of filter they are:
	 * a generation of another origin is not asked. Instances of the same application with
	 * the same configuration and database agree on it.
	 * @param text which texts are equal where no database can be asked
	 * @return the origin, which asks the databases later, if there are any
	 */
	Origin origin(List<KeySource> keys, @Nullable CatchUpSpecification catchUp, @Nullable CatchUpSource changes,
			@Nullable FeedSpecification feed, String type, TextEquality text) {
		String configured = hash(configured(keys, catchUp, feed, type));
		String application = hash(List.of(this.application));
		if (keys.isEmpty() && changes == null) {
			return Origin.of(Origin.located(configured, application, databases(keys, changes, text)));
		}
		return new Origin(configured, application, () -> databases(keys, changes, text), this.rewritten);
	}

	/**
	 * The version of the schema comes last: instances of another one write the same
	 * filters.
	 */
	private static String databases(List<KeySource> keys, @Nullable CatchUpSource changes, TextEquality otherwise) {
		Set<String> databases = new TreeSet<>();
		keys.stream().map(KeySource::database).forEach(databases::add);
		if (changes != null) {
			databases.add(changes.database());
		}
		TextEquality text = TextEquality.EXACT
			.and(keys.stream().map((source) -> source.textEquality().orElse(otherwise)).toList());
		String version = hash(keys.stream().map(KeySource::schemaVersion).sorted().toList());
		return databases.stream()
			.map((database) -> database.isEmpty() ? Origin.UNKNOWN_DATABASE : hash(List.of(database)))
			.collect(Collectors.joining("+")) + "-" + Origin.version(version, text);
	}

	private List<String> configured(List<KeySource> keys, @Nullable CatchUpSpecification catchUp,
			@Nullable FeedSpecification feed, String type) {
		List<String> parts = new ArrayList<>(List.of(String.valueOf(KeyFormat.VERSION), this.application, type));
		keys.stream().map(KeySource::fingerprint).sorted().forEach(parts::add);
		this.converters.stream()
			.map((converter) -> "converter " + converter.type().getName() + " " + converter.getClass().getName())
			.forEach(parts::add);
		if (catchUp != null) {
			parts.add("catch-up " + catchUp.query());
			parts.add("from " + catchUp.start());
		}
		if (feed != null) {
			parts.add("changes of " + feed.table() + " " + feed.keyColumns());
		}
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
