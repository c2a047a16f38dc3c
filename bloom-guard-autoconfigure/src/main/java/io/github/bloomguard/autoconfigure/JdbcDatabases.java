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

import java.util.Properties;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.catchup.CatchUpSource;
import io.github.bloomguard.catchup.CatchUpSpecification;
import io.github.bloomguard.filter.FilterChecks;
import io.github.bloomguard.jdbc.KeyReading;
import io.github.bloomguard.jdbc.QuerySources;

/**
 * What is read of databases that JDBC reaches, beside keys: rows of other writers, and
 * where their change logs are.
 */
interface JdbcDatabases {

	/**
	 * @param property what needs JDBC
	 * @param alternative what to do without it
	 * @throws InvalidGuardException if the database is not reached through it
	 */
	static JdbcDatabases of(QuerySources queries, String filter, String property, String alternative) {
		if (queries instanceof JdbcDatabases databases) {
			return databases;
		}
		throw new FilterChecks(filter).invalid(property,
				"set, which needs JDBC, but there is a ConnectionFactory and no DataSource",
				"Declare a DataSource with @BloomGuardDataSource, or " + alternative);
	}

	CatchUpSource changes(CatchUpSpecification specification, KeyReading reading);

	/**
	 * Return the database that is asked for the keys of a filter whose log is followed.
	 */
	DataSource dataSource(String filter, KeyReading reading);

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
