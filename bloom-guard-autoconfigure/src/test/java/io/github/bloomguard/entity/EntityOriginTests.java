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

import java.util.List;

import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.hibernate.HibernateEntities;
import io.github.bloomguard.hibernate.HibernateWrites;
import io.github.bloomguard.jdbc.RowSecurity;
import io.github.bloomguard.jdbc.SpareConnections;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.SessionFactory;
import org.hibernate.boot.model.naming.Identifier;
import org.hibernate.boot.model.naming.PhysicalNamingStrategyStandardImpl;
import org.hibernate.cfg.Configuration;
import org.hibernate.dialect.PostgreSQLDialect;
import org.hibernate.engine.jdbc.env.spi.JdbcEnvironment;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.Mockito.mock;

/**
 * Tests for what makes the keys of an entity other ones.
 */
class EntityOriginTests {

	@Test
	void otherTableOrColumnIsAnotherOrigin() {
		assertThat(List.of(fingerprint("part", "id", null), fingerprint("parts", "id", null),
				fingerprint("part", "number", null), fingerprint("part", "id", "name")))
			.doesNotHaveDuplicates();
		assertThat(fingerprint("part", "id", null)).isEqualTo(fingerprint("part", "id", null));
	}

	private static String fingerprint(String table, String id, String attribute) {
		try (SessionFactory unit = new Configuration().addAnnotatedClass(Part.class)
			.setPhysicalNamingStrategy(new Names(table, id))
			.setProperty("hibernate.boot.allow_jdbc_metadata_access", "false")
			.setProperty("hibernate.dialect", PostgreSQLDialect.class.getName())
			.buildSessionFactory()) {
			return HibernateEntities
				.of(unit, new KeyFormat(List.of()), new HibernateWrites(() -> mock(), () -> mock(), mock()),
						SpareConnections.ASSUMED)
				.orElseThrow()
				.source(new EntityKeys("parts", Part.class.getName(), attribute), 1000, 1, RowSecurity.REFUSED)
				.fingerprint();
		}
	}

	@Entity
	static class Part {

		@Id
		long id;

		String name;

	}

	private static final class Names extends PhysicalNamingStrategyStandardImpl {

		private static final long serialVersionUID = 1L;

		private final String table;

		private final String id;

		Names(String table, String id) {
			this.table = table;
			this.id = id;
		}

		@Override
		public Identifier toPhysicalTableName(Identifier name, JdbcEnvironment environment) {
			return Identifier.toIdentifier(this.table);
		}

		@Override
		public Identifier toPhysicalColumnName(Identifier name, JdbcEnvironment environment) {
			return Identifier.toIdentifier(name.getText().equals("id") ? this.id : name.getText());
		}

	}

}
