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
import java.util.Properties;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.call.AskedKey;
import io.github.bloomguard.catchup.CatchUpSource;
import io.github.bloomguard.catchup.CatchUpSpecification;
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
				throw new InvalidGuardException(
						"bloom-guard.filters." + filter + ".table has the keys " + sources.get(0)
								+ ", but bloom-guard.filters." + filter + ".warm-up.query gives " + other,
						"Let the query give the same keys as the table, or remove one of the two");
			}
		});
	}

	CatchUpSource changes(CatchUpSpecification specification, BloomGuardProperties.WarmUp warmUp);

	/**
	 * Return the database that is asked for the keys of a filter whose log is followed.
	 */
	DataSource dataSource(String filter, BloomGuardProperties.WarmUp warmUp);

	/**
	 * Return whether a database is chosen for each caller, as far as can be seen.
	 */
	boolean areRouted();

	/**
	 * Return the address of a database, as the user that reads its queries, if any does.
	 */
	Address address(DataSource dataSource);

	/**
	 * Return the databases of queries, if there is only one, and of entities, as far as
	 * they tell.
	 */
	Stream<Address> addresses(Stream<DataSource> entities);

	record Address(String url, Properties credentials) {

	}

}
