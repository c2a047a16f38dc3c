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

package io.github.bloomguard.testsupport;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.Stream;

import javax.sql.DataSource;

import org.springframework.jdbc.core.JdbcTemplate;

/**
 * A database of tests.
 */
public abstract class SqlDatabase {

	/**
	 * Return the URL, with the user.
	 * @return the URL
	 */
	public abstract String url();

	/**
	 * Return a data source without a pool.
	 * @return the data source
	 */
	public abstract DataSource dataSource();

	public final void execute(String... statements) {
		JdbcTemplate template = template();
		for (String statement : statements) {
			template.execute(statement);
		}
	}

	public final JdbcTemplate template() {
		return new JdbcTemplate(dataSource());
	}

	public final Connection connect() {
		try {
			return dataSource().getConnection();
		}
		catch (SQLException ex) {
			throw new IllegalStateException(ex);
		}
	}

	/**
	 * Return the Spring Boot properties that point an application to this database.
	 * @param more more properties
	 * @return all properties as {@code name=value}
	 */
	public final String[] and(String... more) {
		return Stream
			.concat(Stream.of("spring.datasource.url=" + url(), "spring.datasource.hikari.maximum-pool-size=4"),
					Stream.of(more))
			.toArray(String[]::new);
	}

}
