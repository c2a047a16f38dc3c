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

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.call.AskedKey;
import io.github.bloomguard.filter.FilterChecks;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.jdbc.KeyTable;
import io.github.bloomguard.jdbc.KeyType;
import io.github.bloomguard.jdbc.QueryColumns;
import org.jspecify.annotations.Nullable;

/**
 * Makes sources of keys from queries, where there is a database.
 */
interface QuerySources {

	/**
	 * Return the table that a filter names.
	 */
	KeyTable table(String filter, String table, BloomGuardProperties.Filter properties);

	KeySource keys(KeyTable table, BloomGuardProperties.WarmUp warmUp);

	KeySource keys(String filter, BloomGuardProperties.WarmUp warmUp, String query);

	@Nullable QueryColumns columns(String filter, BloomGuardProperties.WarmUp warmUp, String query);

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

	/**
	 * Return what is read through JDBC only, if the database is reached through it.
	 */
	default Optional<JdbcDatabases> jdbc() {
		return Optional.empty();
	}

	/**
	 * @param property what needs JDBC
	 * @param alternative what to do without it
	 * @throws InvalidGuardException if the database is not reached through it
	 */
	default JdbcDatabases jdbc(String filter, String property, String alternative) {
		return jdbc().orElseThrow(() -> new FilterChecks(filter).invalid(property,
				"set, which needs JDBC, but there is a ConnectionFactory and no DataSource",
				"Declare a DataSource with @BloomGuardDataSource, or " + alternative));
	}

}
