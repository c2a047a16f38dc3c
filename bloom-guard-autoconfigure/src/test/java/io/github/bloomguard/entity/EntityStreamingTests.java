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

package io.github.bloomguard.entity;

import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;

import io.github.bloomguard.KeySource;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.hibernate.HibernateEntities;
import io.github.bloomguard.hibernate.HibernateWrites;
import io.github.bloomguard.jdbc.RowSecurity;
import io.github.bloomguard.jdbc.SpareConnections;
import io.github.bloomguard.testsupport.TestPostgres;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for how the keys of an entity of Hibernate are fetched.
 */
class EntityStreamingTests {

	/**
	 * In the simple mode the driver ignores the fetch size, and would hold all rows.
	 */
	@ParameterizedTest
	@CsvSource({ "extended, select", "simple, fetch 50 from" })
	void rowsAreFetchedAFewAtATimeInEachModeOfTheDriver(String mode, String lastStatement) {
		TestPostgres postgres = TestPostgres.create("create table crate (code varchar(20) primary key)",
				"insert into crate select 'c' || n from generate_series(1, 1020) n");
		try (SessionFactory unit = new Configuration().addAnnotatedClass(Crate.class)
			.setProperty("hibernate.connection.url", postgres.url() + "&preferQueryMode=" + mode)
			.buildSessionFactory(); Stream<?> keys = source(unit).keys()) {
			Iterator<?> iterator = keys.iterator();
			assertThat(iterator.next()).asString().startsWith("c");
			assertThat(postgres.template()
				.queryForList("select query from pg_stat_activity where datname = current_database()"
						+ " and state = 'idle in transaction'", String.class))
				.singleElement()
				.asString()
				.startsWith(lastStatement);
			assertThat(iterator).toIterable().hasSize(1019).doesNotHaveDuplicates();
		}
	}

	private static KeySource source(SessionFactory unit) {
		return HibernateEntities
			.of(unit, new KeyFormat(List.of()), new HibernateWrites(() -> mock(), () -> mock(), mock()),
					SpareConnections.ASSUMED)
			.orElseThrow()
			.source(new EntityKeys("crates", Crate.class.getName(), null), 50, 1, RowSecurity.REFUSED);
	}

	@Entity
	@Table(name = "crate")
	static class Crate {

		@Id
		String code;

	}

}
