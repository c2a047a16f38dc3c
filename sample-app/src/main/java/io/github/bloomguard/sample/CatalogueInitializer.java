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

package io.github.bloomguard.sample;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

import javax.sql.DataSource;

import org.springframework.boot.jdbc.DatabaseDriver;
import org.springframework.boot.jdbc.init.DataSourceScriptDatabaseInitializer;
import org.springframework.boot.sql.init.DatabaseInitializationMode;
import org.springframework.boot.sql.init.DatabaseInitializationSettings;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.support.JdbcUtils;
import org.springframework.jdbc.support.MetaDataAccessException;
import org.springframework.stereotype.Component;

/**
 * Creates the table and, if it is empty, 100,000 products with the ids 1 to 100,000.
 * Spring Boot lets everything that uses JDBC wait for it.
 */
@Component
class CatalogueInitializer extends DataSourceScriptDatabaseInitializer {

	/**
	 * Any number that no other application locks in the same database.
	 */
	private static final long LOCK = 4_215_566_213L;

	CatalogueInitializer(DataSource dataSource) {
		super(dataSource, settings());
	}

	private static DatabaseInitializationSettings settings() {
		DatabaseInitializationSettings settings = new DatabaseInitializationSettings();
		settings.setSchemaLocations(List.of("classpath:db/schema.sql"));
		settings.setDataLocations(List.of("classpath:db/data.sql"));
		settings.setMode(DatabaseInitializationMode.ALWAYS);
		return settings;
	}

	@Override
	protected void runScripts(Scripts scripts) {
		if (!isPostgreSql()) {
			super.runScripts(scripts);
			return;
		}
		// "create table if not exists" fails in PostgreSQL if two sessions do it at once
		try (Connection connection = getDataSource().getConnection(); Statement lock = connection.createStatement()) {
			lock.execute("select pg_advisory_lock(" + LOCK + ")");
			try {
				super.runScripts(scripts);
			}
			finally {
				lock.execute("select pg_advisory_unlock(" + LOCK + ")");
			}
		}
		catch (SQLException ex) {
			throw new UncategorizedSQLException("Creating the catalogue", null, ex);
		}
	}

	private boolean isPostgreSql() {
		try {
			String product = JdbcUtils.commonDatabaseName(JdbcUtils.extractDatabaseMetaData(getDataSource(),
					(metaData) -> metaData.getDatabaseProductName()));
			return DatabaseDriver.fromProductName(product) == DatabaseDriver.POSTGRESQL;
		}
		catch (MetaDataAccessException ex) {
			throw new IllegalStateException("The database does not tell what it is", ex);
		}
	}

}
