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

package io.github.bloomguard.jdbc;

import java.util.Collection;
import java.util.List;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.call.AskedKey;
import io.github.bloomguard.filter.FilterChecks;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.filter.KeyType;
import org.jspecify.annotations.Nullable;

/**
 * Makes sources of keys from queries, where there is a database.
 */
public interface QuerySources {

	/**
	 * Return the table that a filter names.
	 * @param keyColumns its columns that are the key, none for the primary key
	 */
	KeyTable table(String filter, String table, List<String> keyColumns, KeyReading reading);

	KeySource keys(KeyTable table, KeyReading reading);

	KeySource keys(String filter, KeyReading reading, String query);

	@Nullable QueryColumns columns(String filter, KeyReading reading, String query);

	void check(String filter, KeyFormat format, Collection<AskedKey> asked);

	/**
	 * @throws InvalidGuardException if a table and a query give other keys
	 */
	static void checkSame(String filter, List<QueryColumns> sources) {
		sources.forEach((other) -> {
			if (!KeyType.mayBeSame(sources.get(0).types(), other.types())) {
				FilterChecks checks = new FilterChecks(filter);
				throw new InvalidGuardException(
						checks.property("table") + " has the keys " + sources.get(0) + ", but "
								+ checks.property("warm-up.query") + " gives " + other,
						"Let the query give the same keys as the table, or remove one of the two");
			}
		});
	}

	/**
	 * Return whether a database is chosen for each caller, as far as can be seen.
	 */
	default boolean areRouted() {
		return false;
	}

}
