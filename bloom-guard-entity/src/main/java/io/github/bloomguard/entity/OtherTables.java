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

package io.github.bloomguard.entity;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.github.bloomguard.catalogue.RelatedTables;
import io.github.bloomguard.catalogue.RelatedTables.ConnectionSource;
import io.github.bloomguard.catalogue.RowWrite;
import io.github.bloomguard.catalogue.StoredCode;

/**
 * Knows the filters that get rows through the tables of other entities: parts of their
 * table, views, or tables whose triggers insert into it.
 */
public final class OtherTables {

	private final Supplier<? extends Collection<EntityKeys>> configured;

	private final RelatedTables related = new RelatedTables();

	private final StoredCode stored = new StoredCode();

	public OtherTables(Supplier<? extends Collection<EntityKeys>> configured) {
		this.configured = configured;
	}

	/**
	 * Return the filters that get rows when those of other tables are written, or more
	 * rows than are written. What the tables themselves get, the mapping tells.
	 * @param database told apart from others by its identity
	 * @param written names of tables as they are mapped
	 * @param tables gives those of the entity of a filter, as they are mapped
	 * @param connection the one that has written
	 */
	public List<EntityKeys> filters(Object database, RowWrite.Kind kind, Collection<String> written,
			Function<EntityKeys, ? extends Collection<String>> tables, ConnectionSource connection) {
		Set<String> inserted = inserted(database, written.stream().map((table) -> RowWrite.of(kind, table)).toList(),
				connection);
		return inserted.isEmpty() ? List.of() : this.configured.get()
			.stream()
			.filter((keys) -> tables.apply(keys).stream().map(RelatedTables::plain).anyMatch(inserted::contains))
			.toList();
	}

	/**
	 * The same with the connection of the thread's transaction, or another one.
	 */
	public List<EntityKeys> filters(DataSource database, RowWrite.Kind kind, String written,
			Function<EntityKeys, ? extends Collection<String>> tables) {
		return ConnectionSource.of(database,
				(connection) -> filters(database, kind, List.of(written), tables, connection));
	}

	private Set<String> inserted(Object database, List<RowWrite> writes, ConnectionSource connection) {
		Set<String> inserted = new HashSet<>();
		Set<RowWrite> known = new HashSet<>();
		Deque<RowWrite> next = new ArrayDeque<>(writes);
		while (!next.isEmpty()) {
			RowWrite write = next.remove();
			if (known.add(write)) {
				Set<String> tables = this.related.of(database, write.table(), connection).keySet();
				if (write.kind() == RowWrite.Kind.INSERT) {
					tables.stream().filter((table) -> !table.equals(write.table())).forEach(inserted::add);
				}
				Set<RowWrite> fired = this.stored.of(database, String.join(",", tables), connection)
					.writes()
					.getOrDefault(write.kind(), Set.of());
				fired.stream()
					.filter((each) -> each.kind() == RowWrite.Kind.INSERT)
					.map(RowWrite::table)
					.forEach(inserted::add);
				next.addAll(fired);
			}
		}
		return inserted;
	}

}
