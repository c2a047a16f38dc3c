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

package io.github.bloomguard.warmup;

import java.nio.file.Path;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.Membership;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestMariaDb;
import io.github.bloomguard.testsupport.TestMySql;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.persistence.autoconfigure.EntityScan;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DriverManagerDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for filters of a query, a table and an entity with each database and driver.
 */
@Tag("slow")
class DatabasesTests {

	private static final int ROWS = 3000;

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	@TempDir
	private static Path directory;

	static Stream<Arguments> databases() {
		return Stream.of(database("PostgreSQL", () -> TestPostgres.create().url()),
				database("MySQL, Connector/J", () -> TestMySql.create().connectorJUrl()),
				database("MySQL, driver of MariaDB", () -> TestMySql.create().mariaDbDriverUrl()),
				database("MariaDB", () -> TestMariaDb.create().mariaDbDriverUrl()),
				database("MariaDB, Connector/J", () -> TestMariaDb.create().connectorJUrl()),
				database("H2", () -> "jdbc:h2:file:" + directory.resolve("h2")),
				database("HSQLDB", () -> "jdbc:hsqldb:file:" + directory.resolve("hsqldb")),
				database("SQLite", () -> "jdbc:sqlite:" + directory.resolve("sqlite")));
	}

	private static Arguments database(String name, Supplier<String> url) {
		return arguments(name, url);
	}

	@ParameterizedTest(name = "{0}")
	@MethodSource("databases")
	void rowsThatAreThereAndThatAreAddedAreFoundAndOthersAreAbsent(String name, Supplier<String> database) {
		String url = database.get();
		fill(url);
		redis.reset();
		// Hibernate finds no dialect for either
		boolean mapped = !List.of("MariaDB, Connector/J", "SQLite").contains(name);
		Stream<String> properties = Stream.of("spring.datasource.url=" + url,
				"spring.datasource.hikari.maximum-pool-size=4",
				"bloom-guard.filters.products.warm-up.query=select id from product",
				"bloom-guard.filters.tables.table=product", "bloom-guard.defaults.expected-insertions=10000",
				"bloom-guard.defaults.rebuild.longest-transaction=100ms",
				"bloom-guard.defaults.verification.required-calls=0", "bloom-guard.defaults.rebuild.settle=0s",
				"bloom-guard.defaults.mirror.enabled=false");
		Stream<String> entity = Stream.of(GuardApplication.HIBERNATE,
				"bloom-guard.filters.entities.entity=" + Product.class.getName());
		try (GuardApplication application = GuardApplication.start(redis, List.of(Entities.class),
				(mapped ? Stream.concat(properties, entity) : properties).toArray(String[]::new))) {
			application.awaitReady();
			assertLoaded(application, "products");
			application.guard().add("products", 70_000);
			assertThat(application.guard().membership("products", 70_000)).isEqualTo(Membership.MAYBE);
			awaitLoaded(application, "tables");
			if (mapped) {
				awaitLoaded(application, "entities");
				application.bean(EntityManagerFactory.class)
					.runInTransaction((entities) -> entities.persist(new Product(80_000)));
				assertThat(application.guard().membership("entities", 80_000)).isEqualTo(Membership.MAYBE);
			}
		}
	}

	private static void awaitLoaded(GuardApplication application, String filter) {
		Awaitility.await().until(() -> application.bean(ManagedFilters.class).find(filter).filter().active() != null);
		assertLoaded(application, filter);
	}

	private static void assertLoaded(GuardApplication application, String filter) {
		assertThat(LongStream.rangeClosed(1, ROWS))
			.allMatch((id) -> application.guard().membership(filter, id) == Membership.MAYBE);
		assertThat(LongStream.rangeClosed(10_001, 11_000)
			.filter((id) -> application.guard().membership(filter, id) == Membership.ABSENT)
			.count()).isGreaterThan(950);
	}

	private static void fill(String url) {
		JdbcTemplate template = new JdbcTemplate(new DriverManagerDataSource(url));
		template.execute("create table product (id bigint primary key)");
		template.execute("insert into product values "
				+ String.join(", ", LongStream.rangeClosed(1, ROWS).mapToObj((id) -> "(" + id + ")").toList()));
	}

	@Entity
	@Table(name = "product")
	static class Product {

		@Id
		private long id;

		Product() {
		}

		Product(long id) {
			this.id = id;
		}

	}

	@Configuration(proxyBeanMethods = false)
	@EntityScan(basePackageClasses = Product.class)
	static class Entities {

	}

}
