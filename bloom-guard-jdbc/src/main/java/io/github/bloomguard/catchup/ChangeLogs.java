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

package io.github.bloomguard.catchup;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.Collection;
import java.util.Properties;

import io.github.bloomguard.InvalidGuardException;
import org.jspecify.annotations.Nullable;

/**
 * The change logs of one kind of database. A bean of this type adds a kind.
 */
public interface ChangeLogs {

	/**
	 * Return whether these are the logs of the database with a JDBC URL.
	 */
	boolean support(String url);

	/**
	 * Return the full name of a table that is found by a connection of the application,
	 * which may have another schema than its URL.
	 * @return {@code null} if there is no such table
	 */
	default @Nullable String fullName(Connection application, String table) throws SQLException {
		return table;
	}

	/**
	 * Return the log of a table. Does not ask the database yet.
	 * @param credentials {@code user} and {@code password}, as far as they are known
	 * @throws InvalidGuardException if it can't be followed
	 */
	ChangeLog open(FeedSpecification specification, String url, Properties credentials);

	/**
	 * Let a database keep its log no longer for feeds that are gone.
	 * @param owner what tells the filters apart that follow the same database
	 * @param filters the filters that still have a feed
	 * @return {@code false} if a feed that is gone is still followed
	 */
	boolean retain(String owner, Collection<String> filters, String url, Properties credentials);

}
