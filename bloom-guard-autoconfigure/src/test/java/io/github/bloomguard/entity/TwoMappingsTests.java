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

import java.util.ArrayList;
import java.util.Currency;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import javax.sql.DataSource;

import io.github.bloomguard.Membership;
import io.github.bloomguard.hibernate.HibernateWrites;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Convert;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import org.awaitility.Awaitility;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.cfg.JdbcSettings;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.beans.factory.BeanCurrentlyInCreationException;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.data.jdbc.autoconfigure.DataJdbcRepositoriesAutoConfiguration;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.relational.core.mapping.Table;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for a table that Hibernate and Spring Data JDBC map, or two persistence units.
 */
@Tag("slow")
class TwoMappingsTests {

	private static final List<String> FILTERS = List.of("products", "codes", "rows", "row-codes");

	@AutoClose
	private static final TestRedis redis = TestRedis.start().reset("codes", "sizes", "rows", "row-codes");

	private static final TestPostgres postgres = TestPostgres
		.create("create table shirt (id bigint primary key, code varchar(40), price varchar(3), size int)");

	@AutoClose
	private static GuardApplication application;

	@BeforeAll
	static void startApplication() {
		List<String> properties = new ArrayList<>(
				List.of(postgres.and(GuardApplication.HIBERNATE, GuardApplication.SPRING_DATA_JDBC)));
		Shop.filter(properties, "products", Shirt.class.getName(), null);
		Shop.filter(properties, "codes", Shirt.class.getName(), "code");
		Shop.filter(properties, "sizes", Shirt.class.getName(), "size");
		Shop.filter(properties, "rows", Row.class.getName(), null);
		Shop.filter(properties, "row-codes", Row.class.getName(), "code");
		application = Shop.awaitReady(GuardApplication.start(redis,
				List.of(Aggregates.class, PersistenceManagedTypes.of(Shirt.class.getName())),
				properties.toArray(String[]::new)));
	}

	@Test
	void rowsThatSpringDataJdbcWritesAreKnown() {
		JdbcAggregateTemplate template = application.bean(JdbcAggregateTemplate.class);
		template.insert(new Row(1L, "red", 1));
		assertKnown(1, "red");
		assertThat(application.guard().membership("sizes", Size.M)).isNotEqualTo(Membership.ABSENT);
		Awaitility.await("loaded again")
			.until(() -> application.guard().membership("sizes", Size.M) == Membership.MAYBE);
		template.update(new Row(1L, "green", 1));
		assertKnown(1, "green");
	}

	@Test
	void rowsThatHibernateWritesAreKnown() {
		EntityManagerFactory unit = application.bean(EntityManagerFactory.class);
		unit.runInTransaction((session) -> session.persist(new Shirt(2, "blue")));
		assertKnown(2, "blue");
		unit.runInTransaction((session) -> session.find(Shirt.class, 2).code = "black");
		assertKnown(2, "black");
	}

	@Test
	void rowsThatAnotherPersistenceUnitWritesAreKnown() {
		Configuration configuration = new Configuration().addAnnotatedClass(Blouse.class);
		configuration.getProperties().put(JdbcSettings.JAKARTA_NON_JTA_DATASOURCE, application.bean(DataSource.class));
		try (SessionFactory unit = configuration.buildSessionFactory()) {
			application.bean(HibernateWrites.class).listenTo(unit);
			unit.inTransaction((session) -> session.persist(new Blouse(3, "white")));
			assertKnown(3, "white");
		}
	}

	@Test
	void mappingThatIsBeingMadeWhenSomethingIsWrittenIsAskedAgain() {
		EntityKeys keys = new EntityKeys("products", Shirt.class.getName(), null);
		Map<String, EntityWrites<String>> known = new HashMap<>();
		assertThat(EntityWrites.<String, String>of("blouse", known, () -> List.of(keys), (each, written) -> {
			throw new BeanCurrentlyInCreationException("unit");
		}).told()).isEmpty();
		for (int i = 0; i < 2; i++) {
			assertThat(EntityWrites
				.of("blouse", known, () -> List.of(keys),
						(each, written) -> written.add(each, List.of("number"), (attribute) -> true))
				.told()).isEqualTo(Map.of("products", "number"));
		}
	}

	private static void assertKnown(int id, String code) {
		for (String filter : FILTERS) {
			Object key = filter.endsWith("codes") ? code : id;
			assertThat(application.guard().membership(filter, key)).as(filter).isEqualTo(Membership.MAYBE);
			assertThat(application.guard().membership(filter, "-" + key)).as(filter).isEqualTo(Membership.ABSENT);
		}
	}

	@org.springframework.context.annotation.Configuration(proxyBeanMethods = false)
	@ImportAutoConfiguration(DataJdbcRepositoriesAutoConfiguration.class)
	static class Aggregates {

	}

	@Table("shirt")
	record Row(@org.springframework.data.annotation.Id Long id, String code, int size) {
	}

	enum Size {

		S, M

	}

	/** Spring Data could not map its currency. */
	@Entity
	@jakarta.persistence.Table(name = "shirt")
	static class Shirt {

		@Id
		long id;

		String code;

		Currency price;

		@Convert(converter = SizeColumn.class)
		Size size = Size.S;

		protected Shirt() {
		}

		Shirt(long id, String code) {
			this.id = id;
			this.code = code;
		}

	}

	static class SizeColumn implements AttributeConverter<Size, Integer> {

		@Override
		public Integer convertToDatabaseColumn(Size size) {
			return size.ordinal();
		}

		@Override
		public Size convertToEntityAttribute(Integer column) {
			return Size.values()[column];
		}

	}

	@Entity
	@jakarta.persistence.Table(name = "SHIRT", schema = "public")
	static class Blouse {

		@Id
		@jakarta.persistence.Column(name = "ID")
		long number;

		@jakarta.persistence.Column(name = "CODE")
		String label;

		protected Blouse() {
		}

		Blouse(long number, String label) {
			this.number = number;
			this.label = label;
		}

	}

}
