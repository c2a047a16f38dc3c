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

package io.github.bloomguard.generation;

import java.util.Collections;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.bloomguard.TextEquality;
import org.jspecify.annotations.Nullable;

/**
 * Where the keys of a filter come from: a part that is configured, and a part that has to
 * be looked up, such as the database and the version of its schema. Instances of the same
 * application with the same configuration and the same database agree on it.
 * <p>
 * Until it has been looked up, it is one that no generation has, so nothing is answered.
 * It is looked up again only if another instance with the same configuration has found
 * something else: a migration may have been run meanwhile.
 * <p>
 * Concurrency: looked up by one thread at a time, which publishes the value in a volatile
 * field.
 *
 * @since 1.0.0
 */
public final class Origin {

	private static final char TEXT = '+';

	private final String nobodys = "unknown-" + UUID.randomUUID();

	private final String configured;

	private final Supplier<String> lookup;

	private final boolean rewritten;

	/**
	 * What other instances had found when this one looked.
	 */
	private final Set<String> considered = Collections.newSetFromMap(new ConcurrentHashMap<>());

	private volatile @Nullable String value;

	private volatile @Nullable TextEquality text;

	/**
	 * Create an origin that is not known yet.
	 * @param configured what is known of it
	 * @param lookup finds the rest of it, and may wait for a database
	 * @param rewritten whether each start writes rows that nobody adds, so that what was
	 * loaded before may lack them
	 */
	public Origin(String configured, Supplier<String> lookup, boolean rewritten) {
		this.configured = configured;
		this.lookup = lookup;
		this.rewritten = rewritten;
	}

	/**
	 * Return an origin that is known.
	 * @param value the origin
	 * @return the same
	 */
	public static Origin of(String value) {
		Origin origin = new Origin(value, () -> "", false);
		origin.use(value);
		return origin;
	}

	/**
	 * Return the origin.
	 * @return a text without a vertical bar, one that nobody else has while it is not
	 * known
	 */
	public String value() {
		String value = this.value;
		return (value != null) ? value : this.nobodys;
	}

	/**
	 * Return what an origin has in common with those of other versions of the schema. All
	 * that write one of them write the others too, so a rollout that is over for one is
	 * over for all.
	 * @param origin the origin, as {@code configured-database-version}
	 * @return what comes before the version, all of it if there is none
	 */
	public static String place(String origin) {
		int version = origin.lastIndexOf('-');
		return (version > origin.indexOf('-')) ? origin.substring(0, version) : origin;
	}

	/**
	 * Return an origin's part for a database.
	 * @param database tells it from others, in hexadecimal digits
	 * @param text how it compares text
	 * @return the part
	 */
	public static String database(String database, TextEquality text) {
		return text.isExact() ? database : database + TEXT + text.code();
	}

	/**
	 * Return how the database of an origin compares text.
	 * @param origin the origin
	 * @return the equality
	 */
	public static TextEquality text(String origin) {
		int begin = origin.indexOf(TEXT);
		if (begin < 0) {
			return TextEquality.EXACT;
		}
		int end = origin.indexOf('-', begin);
		return TextEquality.of(origin.substring(begin + 1, (end < 0) ? origin.length() : end));
	}

	/**
	 * Return whether it has been looked up.
	 * @return whether it is known
	 */
	public boolean isKnown() {
		return this.value != null;
	}

	/**
	 * Return whether generations that have been loaded from there may lack rows.
	 */
	boolean isOutdated() {
		return this.rewritten && !isKnown();
	}

	/**
	 * Return whether it has to be looked up, for the first time or again.
	 * @param record the control record as it was read last, {@code null} if it has not
	 * been read
	 */
	boolean isDue(@Nullable ControlRecord record) {
		return !isKnown() || others(record).anyMatch((origin) -> !this.considered.contains(origin));
	}

	/**
	 * Look up what it is now. May wait.
	 * @param record the control record as it was read last, {@code null} if it has not
	 * been read
	 */
	String lookUp(@Nullable ControlRecord record) {
		Set<String> others = Set.copyOf(others(record).toList());
		String value = this.configured + "-" + this.lookup.get();
		this.considered.retainAll(others);
		this.considered.addAll(others);
		return value;
	}

	void use(String value) {
		this.text = text(value);
		this.value = value;
	}

	/**
	 * Return how the database compares text, {@code null} if it has not been looked up.
	 */
	@Nullable TextEquality text() {
		return this.text;
	}

	private Stream<String> others(@Nullable ControlRecord record) {
		return (record == null) ? Stream.empty()
				: record.generations()
					.stream()
					.map(Generation::origin)
					.filter((origin) -> origin.startsWith(this.configured + "-") && !origin.equals(this.value));
	}

}
