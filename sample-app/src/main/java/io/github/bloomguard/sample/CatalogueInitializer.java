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
