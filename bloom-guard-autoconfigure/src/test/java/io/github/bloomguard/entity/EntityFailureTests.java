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
import java.util.Set;
import java.util.stream.Stream;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.Membership;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.TenantId;
import org.hibernate.cfg.Configuration;
import org.hibernate.context.spi.CurrentTenantIdentifierResolver;
import org.hibernate.dialect.PostgreSQLDialect;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.data.jdbc.core.convert.JdbcConverter;
import org.springframework.data.jdbc.core.convert.MappingJdbcConverter;
import org.springframework.data.jdbc.core.dialect.JdbcPostgresDialect;
import org.springframework.data.jdbc.core.mapping.JdbcMappingContext;
import org.springframework.data.relational.core.dialect.Dialect;
import org.springframework.jdbc.datasource.SimpleDriverDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.junit.jupiter.params.provider.Arguments.arguments;
import static org.mockito.Mockito.mock;

/**
 * Tests for what an application says whose filter names an entity that can't be meant.
 * What can't be meant of a mapping, {@code HibernateEntitiesTests} shows, and which of
 * several mappings can't be told apart, {@code EntitySourcesTests}.
 */
@ExtendWith(OutputCaptureExtension.class)
class EntityFailureTests {

	private static final String PRODUCTS = "bloom-guard.filters.products.";

	private static final String PART = PRODUCTS + "entity=" + Part.class.getName();

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	static Stream<Arguments> mistakes() {
		return Stream.of(
				arguments(List.of(unit()), List.of(PRODUCTS + "entity=com.acme.Prodct"),
						PRODUCTS + "entity is com.acme.Prodct, which is not mapped by the persistence unit",
						"Write one of the entities [" + Folder.class.getName() + ", " + Part.class.getName() + "]"),
				arguments(
						List.of(converter(), new JdbcPostgresDialect(), new SimpleDriverDataSource(),
								new SimpleDriverDataSource()),
						List.of(PRODUCTS + "entity=" + Aggregate.class.getName()),
						PRODUCTS + "entity is " + Aggregate.class.getName() + ", but there is not one DataSource",
						"Mark the one that has its rows as @Primary"),
				// Spring Data JDBC before 3.5 has dialects that are no JdbcDialect
				arguments(
						List.of(converter(), mock(Dialect.class), new SimpleDriverDataSource(),
								new SimpleDriverDataSource()),
						List.of(PRODUCTS + "entity=" + Aggregate.class.getName()),
						PRODUCTS + "entity is " + Aggregate.class.getName() + ", but there is not one DataSource",
						"Mark the one that has its rows as @Primary"),
				arguments(List.of(converter(), new SimpleDriverDataSource()),
						List.of(PRODUCTS + "entity=" + Aggregate.class.getName()),
						"There is a JdbcConverter bean but no Dialect bean",
						"Declare the Dialect of your database as a bean"),
				arguments(List.of(unitWithTenants(), new SimpleDriverDataSource()), List.of(PRODUCTS + "table=part"),
						PRODUCTS + "table is set, but the persistence unit has tenants",
						"Use warm-up.query or a KeySource bean for the keys of all tenants"),
				arguments(List.of(unit()), List.of(PRODUCTS + "attribute=name"),
						PRODUCTS + "attribute is name, but " + PRODUCTS + "entity is not set.",
						"Set the entity to the class that has the attribute"),
				arguments(List.of(unit()), List.of(PART, PRODUCTS + "warm-up.partitions=0"),
						PRODUCTS + "warm-up.partitions is 0.", "Set it to the number of key ranges"));
	}

	@ParameterizedTest
	@MethodSource("mistakes")
	@Tag("slow")
	void applicationSaysWhatIsWrongAndWhatToWrite(List<?> units, List<String> properties, String description,
			String action, CapturedOutput output) {
		assertThatException()
			.isThrownBy(() -> GuardApplication.start(redis, units, properties.toArray(String[]::new)).close());
		assertThat(output).contains("APPLICATION FAILED TO START").doesNotContain("Caused by:");
		assertThat(section(output, "Description:")).contains(description);
		assertThat(section(output, "Action:")).contains(action);
	}

	@Test
	void callsGoThroughWherePersistenceIsExcluded(CapturedOutput output) {
		try (GuardApplication application = GuardApplication.start(redis, List.of(new Keys("products", 1)), PART,
				PRODUCTS + "warm-up.blocking=true", PRODUCTS + "changes.enabled=true")) {
			application.awaitState(FilterState.LOADING);
			assertThat(application.products().warmUp().loadIfMissing()).isCompleted();
			assertThat(application.guard().membership("products", 1)).isEqualTo(Membership.UNKNOWN);
			assertThat(application.guard().membership("products", 2)).isEqualTo(Membership.UNKNOWN);
			assertThat(redis.keys("*:bits:*")).isEmpty();
		}
		assertThat(output.toString().split("this context has no persistence unit", -1)).hasSize(2);
	}

	@Test
	void tableIsReadThatTenantsShare() {
		try (GuardApplication application = GuardApplication.start(redis,
				List.of(unitWithTenants(Note.class), new SimpleDriverDataSource()), PRODUCTS + "table=note")) {
			assertThat(application.products()).isNotNull();
		}
	}

	@Test
	void keysOfABeanNeedNoDatabaseOfAggregates() {
		try (GuardApplication application = GuardApplication.start(redis,
				List.of(converter(), new JdbcPostgresDialect(), new SimpleDriverDataSource(),
						new SimpleDriverDataSource(), new Keys("products", 1)))) {
			assertThat(application.products()).isNotNull();
		}
	}

	private static SessionFactory unit() {
		return configuration().buildSessionFactory();
	}

	private static SessionFactory unitWithTenants(Class<?>... entities) {
		return configuration().addAnnotatedClasses(entities)
			.setCurrentTenantIdentifierResolver(new OneTenant())
			.buildSessionFactory();
	}

	private static JdbcConverter converter() {
		return new MappingJdbcConverter(new JdbcMappingContext(), (id, path) -> List.of());
	}

	private static Configuration configuration() {
		return new Configuration().addAnnotatedClass(Part.class)
			.addAnnotatedClass(Folder.class)
			.setProperty("hibernate.boot.allow_jdbc_metadata_access", "false")
			.setProperty("hibernate.dialect", PostgreSQLDialect.class.getName());
	}

	private static String section(CapturedOutput output, String title) {
		String text = output.toString();
		String rest = text.substring(text.indexOf(title) + title.length()).strip();
		return rest.lines().findFirst().orElseThrow();
	}

	record Aggregate(@org.springframework.data.annotation.Id long id) {
	}

	@Entity
	static class Part {

		@Id
		long id;

		String name;

	}

	@Entity
	static class Folder {

		@Id
		long id;

	}

	@Entity
	static class Note {

		@Id
		long id;

		@TenantId
		String tenant;

	}

	static class OneTenant implements CurrentTenantIdentifierResolver<Object> {

		@Override
		public Object resolveCurrentTenantIdentifier() {
			return "one";
		}

		@Override
		public boolean validateExistingCurrentSessions() {
			return false;
		}

	}

}
