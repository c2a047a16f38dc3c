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

import io.github.bloomguard.catchup.CatchUpSource;
import io.github.bloomguard.catchup.CatchUpSpecification;

/**
 * What is read of databases that JDBC reaches, beside keys: rows of other writers, and
 * where their change logs are.
 */
interface JdbcDatabases {

	CatchUpSource changes(CatchUpSpecification specification, BloomGuardProperties.WarmUp warmUp);

	/**
	 * Return the database that is asked for the keys of a filter whose log is followed.
	 */
	DataSource dataSource(String filter, BloomGuardProperties.WarmUp warmUp);

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
