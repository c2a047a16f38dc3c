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

package io.github.bloomguard.mybatis;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Which tables a statement writes to.
 */
final class SqlWrites {

	private static final Set<String> INSERTS = Set.of("insert", "replace", "merge", "upsert");

	/**
	 * Any other statement may bring rows to a table that it names, such as {@code copy}
	 * and {@code alter table … rename to}.
	 */
	private static final Set<String> KNOWN = Set.of("select", "values", "with", "show", "insert", "replace", "merge",
			"upsert", "update", "delete", "set", "truncate", "drop", "lock", "analyze", "explain");

	/**
	 * The like where it is not certain where a statement begins.
	 */
	private static final Set<String> OTHERS = Set.of("copy", "alter", "rename", "load");

	private final SqlTokens tokens;

	private final List<Target> targets;

	/**
	 * By where writing to a table begins.
	 */
	private final Map<List<Integer>, TableWrites> tables = new ConcurrentHashMap<>();

	SqlWrites(SqlTokens tokens) {
		this.tokens = tokens;
		this.targets = IntStream.range(0, tokens.size()).boxed().flatMap(this::targets).toList();
	}

	/**
	 * Return whether nothing was written if no row was counted.
	 */
	boolean areCounted() {
		return (INSERTS.contains(this.tokens.get(0)) || this.tokens.is(0, "update", "delete"))
				&& this.tokens.find(";", 0) + 1 >= this.tokens.size() && !this.tokens.areAmbiguous();
	}

	/**
	 * Return what is written to the table of a key.
	 */
	TableWrites to(FollowedKey key) {
		List<Integer> written = this.targets.stream()
			.filter((target) -> key.isTable(target.table()))
			.map(Target::begin)
			.distinct()
			.toList();
		return this.tables.computeIfAbsent(written, this::table);
	}

	private TableWrites table(List<Integer> written) {
		List<Integer> begins = written.stream().filter((begin) -> !this.tokens.is(begin, "delete")).toList();
		return new TableWrites(this.tokens, begins, this.tokens.is(0, "delete") && written.contains(0));
	}

	/**
	 * Return whether nothing is written to any table.
	 */
	boolean areNone() {
		return this.targets.isEmpty();
	}

	private Stream<Target> targets(int i) {
		return endsOfNames(i).filter((end) -> end > 0).mapToObj((end) -> new Target(i, this.tokens.get(end - 1)));
	}

	/**
	 * Return where the names of those tables end that are written to by what begins here.
	 */
	private IntStream endsOfNames(int i) {
		String verb = this.tokens.get(i);
		if (INSERTS.contains(verb) || isInto(i)) {
			return IntStream.of(this.tokens.endOfName(i + 1));
		}
		if (verb.equals("delete") && this.tokens.is(i + 1, "from")) {
			return IntStream.of(this.tokens.endOfName(i + 2));
		}
		if (isUpdate(i)) {
			return names(i, "set");
		}
		boolean others = (begins(i) && !KNOWN.contains(verb)) || (this.tokens.areAmbiguous() && OTHERS.contains(verb));
		return others ? names(i, ";") : IntStream.empty();
	}

	private boolean begins(int i) {
		return this.tokens.isName(i) && (this.tokens.begins(i) || this.tokens.is(i, "call"));
	}

	/**
	 * Return the ends of all names up to a token.
	 */
	private IntStream names(int from, String end) {
		return IntStream.range(from + 1, this.tokens.find(end, from)).filter(this.tokens::isName).map((i) -> i + 1);
	}

	/**
	 * Return whether another table is named than after the verb.
	 */
	private boolean isInto(int i) {
		return this.tokens.is(i, "into") && !INSERTS.contains(this.tokens.beforeModifiers(i - 1));
	}

	/**
	 * Return whether a statement begins here that updates, which may have others before
	 * it, and not the part of one that locks or upserts.
	 */
	private boolean isUpdate(int i) {
		return this.tokens.is(i, "update") && !this.tokens.is(i - 1, "for", "key", "do", "on");
	}

	/**
	 * A table, and where writing to it begins.
	 */
	private record Target(int begin, String table) {

	}

}
