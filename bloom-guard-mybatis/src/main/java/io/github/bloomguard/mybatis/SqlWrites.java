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

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
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
	 * The like in the code of a routine, where much else is no statement, and where it is
	 * not certain where a statement begins.
	 */
	private static final Set<String> STORED = Set.of("copy", "alter", "rename", "load");

	private final SqlTokens tokens;

	private final boolean stored;

	private final List<Target> targets;

	/**
	 * By where writing to a table begins.
	 */
	private final Map<Map<Integer, Boolean>, TableWrites> tables = new ConcurrentHashMap<>();

	/**
	 * @param stored whether it is the code of a routine or a trigger
	 */
	SqlWrites(SqlTokens tokens, boolean stored) {
		this.tokens = tokens;
		this.stored = stored;
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
	 * Return what is written to the table of a key, under its name or another.
	 * @param related gives the tables of a name, each with whether its columns are the
	 * same
	 */
	TableWrites to(FollowedKey key, Function<String, Map<String, Boolean>> related) {
		Map<Integer, Boolean> written = new LinkedHashMap<>();
		for (Target target : this.targets) {
			String table = target.table();
			Boolean plain = key.isTable(table) ? Boolean.TRUE : related.apply(table).get(key.tableName());
			if (plain != null) {
				written.putIfAbsent(target.begin(), plain);
			}
		}
		return this.tables.computeIfAbsent(written, this::table);
	}

	private TableWrites table(Map<Integer, Boolean> written) {
		List<Integer> begins = written.keySet().stream().filter((begin) -> !this.tokens.is(begin, "delete")).toList();
		boolean plain = begins.stream().allMatch(written::get);
		return new TableWrites(this.tokens, begins, plain, this.tokens.is(0, "delete") && written.containsKey(0));
	}

	/**
	 * Return the names of the tables.
	 */
	Stream<String> names() {
		return this.targets.stream().map(Target::table);
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
		boolean others = (!this.stored && begins(i) && !KNOWN.contains(verb))
				|| ((this.stored || this.tokens.areAmbiguous()) && STORED.contains(verb));
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
