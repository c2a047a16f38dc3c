package io.github.bloomguard.benchmarks.warmup;

import javax.sql.DataSource;

import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;

/**
 * A row of the {@link KeyTable}.
 */
@Entity
class Entry {

	@Id
	long id;

	static SessionFactory sessions(DataSource dataSource) {
		Configuration configuration = new Configuration().addAnnotatedClass(Entry.class);
		configuration.getProperties().put("hibernate.connection.datasource", dataSource);
		return configuration.buildSessionFactory();
	}

}
