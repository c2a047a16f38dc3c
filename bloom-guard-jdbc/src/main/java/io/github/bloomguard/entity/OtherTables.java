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

import io.github.bloomguard.jdbc.RelatedTables;
import io.github.bloomguard.jdbc.RelatedTables.ConnectionSource;
import io.github.bloomguard.jdbc.StoredCode;

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
	 * Return the filters that get rows when those of a table are inserted. Of entities
	 * with the same table the mapping tells more.
	 * @param database told apart from others by its identity
	 * @param table as it is mapped
	 * @param tables gives those of the entity of a filter, as they are mapped
	 * @param connection the one that has inserted
	 */
	public List<EntityKeys> filters(Object database, String table,
			Function<EntityKeys, ? extends Collection<String>> tables, ConnectionSource connection) {
		String own = RelatedTables.plain(table);
		Set<String> reached = reached(database, own, connection);
		reached.remove(own);
		return reached.isEmpty() ? List.of() : this.configured.get().stream().filter((keys) -> {
			List<String> names = tables.apply(keys).stream().map(RelatedTables::plain).toList();
			return !names.contains(own) && names.stream().anyMatch(reached::contains);
		}).toList();
	}

	/**
	 * The same with the connection of the thread's transaction, or another one.
	 */
	public List<EntityKeys> filters(DataSource database, String table,
			Function<EntityKeys, ? extends Collection<String>> tables) {
		return ConnectionSource.of(database, (connection) -> filters(database, table, tables, connection));
	}

	private Set<String> reached(Object database, String table, ConnectionSource connection) {
		Set<String> reached = new HashSet<>();
		Deque<String> next = new ArrayDeque<>(List.of(table));
		while (!next.isEmpty()) {
			String name = next.remove();
			if (reached.add(name)) {
				next.addAll(this.related.of(database, name, connection).keySet());
				next.addAll(this.stored.of(database, name, connection).inserted());
			}
		}
		return reached;
	}

}
