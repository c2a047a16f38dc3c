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

import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.jdbc.DataSourceBuilder;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

/**
 * Where the change logs of databases are.
 *
 * @param dataSources those of the application
 * @param own the one that keys are read from, if that is another one
 */
record JdbcDatabases(ObjectProvider<DataSource> dataSources, ObjectProvider<DataSource> own) {

	/**
	 * Return the address of a database, as the user that reads its queries, if any does.
	 */
	Address address(DataSource dataSource) {
		return asReader(addressOf(dataSource));
	}

	private Address asReader(Address address) {
		return find(this.own.getIfAvailable()).filter((reader) -> reader.url().equals(address.url())).orElse(address);
	}

	/**
	 * Return the databases of queries, if there is only one, and of entities, as far as
	 * they tell.
	 */
	Stream<Address> addresses(Stream<DataSource> entities) {
		return Stream.concat(Stream.ofNullable(this.own.getIfAvailable(this.dataSources::getIfUnique)), entities)
			.map(JdbcDatabases::find)
			.flatMap(Optional::stream)
			.map(this::asReader)
			.distinct();
	}

	private static Optional<Address> find(@Nullable DataSource dataSource) {
		try {
			return Optional.ofNullable(dataSource).map(JdbcDatabases::addressOf);
		}
		catch (RuntimeException ex) {
			// one that does not tell
			return Optional.empty();
		}
	}

	/**
	 * A log is followed for long and by a connection of another kind, so not one of the
	 * pool.
	 */
	private static Address addressOf(DataSource dataSource) {
		DataSource target = dataSource;
		while (target instanceof DelegatingDataSource delegating && delegating.getTargetDataSource() != null) {
			target = delegating.getTargetDataSource();
		}
		SimpleDriverDataSource database = DataSourceBuilder.derivedFrom(target)
			.type(SimpleDriverDataSource.class)
			.build();
		Properties credentials = new Properties();
		if (database.getUsername() != null) {
			credentials.setProperty("user", database.getUsername());
		}
		if (database.getPassword() != null) {
			credentials.setProperty("password", database.getPassword());
		}
		return new Address(String.valueOf(database.getUrl()), credentials);
	}

	record Address(String url, Properties credentials) {

	}

}
