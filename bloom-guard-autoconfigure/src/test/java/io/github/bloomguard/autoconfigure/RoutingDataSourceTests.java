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

package io.github.bloomguard.autoconfigure;

import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.bloomguard.Membership;
import io.github.bloomguard.entity.MappedEntities;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.hibernate.HibernateEntities;
import io.github.bloomguard.jdbc.SpareConnections;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.hibernate.SessionFactory;
import org.hibernate.cfg.Configuration;
import org.hibernate.dialect.PostgreSQLDialect;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.aop.framework.ProxyFactory;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.jdbc.datasource.LazyConnectionDataSourceProxy;
import org.springframework.jdbc.datasource.TransactionAwareDataSourceProxy;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.mockito.Mockito.mock;

/**
 * Tests for data sources that lead to several databases.
 */
@ExtendWith(OutputCaptureExtension.class)
class RoutingDataSourceTests {

	private static final String FILTER = "bloom-guard.filters.products.";

	private static final String QUERY = FILTER + "warm-up.query=select id from product";

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private static final TestPostgres postgres = TestPostgres.create("create table product (id bigint primary key)",
			"insert into product values (1)");

	static Stream<DataSource> routing() {
		return Stream.of(tenants(), new LazyConnectionDataSourceProxy(tenants()),
				new TransactionAwareDataSourceProxy(new LazyConnectionDataSourceProxy(tenants())),
				(DataSource) new ProxyFactory(tenants()).getProxy());
	}

	@ParameterizedTest
	@MethodSource("routing")
	void warmUpFromADatabaseForEachTenantStopsTheStart(DataSource dataSource, CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(dataSource, QUERY).close());
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains(FILTER + "warm-up.query is set, but its DataSource is a " + Tenants.class.getName())
			.contains(FILTER + "data-source to its name, one of [other]")
			.contains("declare a KeySource bean that gives the keys of all of them")
			.contains(FILTER + "warm-up.allow-routing-data-source to true");
	}

	@Test
	void catchUpFromADatabaseForEachTenantStopsTheStart(CapturedOutput output) {
		assertThatException().isThrownBy(
				() -> start(tenants(), FILTER + "catch-up.query=select id from product where id > :mark order by id",
						FILTER + "catch-up.start=select 0", FILTER + "mode=off")
					.close());
		assertThat(output).contains(FILTER + "catch-up.query is set, but its DataSource is a ");
	}

	@Test
	void entityWithADatabaseForEachTenantStopsTheStart(CapturedOutput output) {
		try (SessionFactory unit = unit(new LazyConnectionDataSourceProxy(tenants()))) {
			assertThatException().isThrownBy(
					() -> GuardApplication.start(redis, List.of(unit), FILTER + "entity=" + Product.class.getName())
						.close());
			assertThat(output).contains("APPLICATION FAILED TO START")
				.contains(FILTER + "entity is " + Product.class.getName() + ", but its DataSource is a "
						+ Tenants.class.getName());
		}
	}

	@Test
	void dataSourceOfAPersistenceUnitIsKnown() {
		DataSource dataSource = postgres.dataSource();
		try (SessionFactory unit = unit(dataSource)) {
			MappedEntities entities = HibernateEntities
				.of(unit, new KeyFormat(List.of()), mock(), SpareConnections.ASSUMED)
				.orElseThrow();
			assertThat(entities.dataSource()).isSameAs(dataSource);
		}
	}

	@Test
	void copiesOfOneDatabaseAreLetThrough() {
		try (GuardApplication application = start(tenants(), QUERY, FILTER + "warm-up.allow-routing-data-source=true")
			.awaitReady()) {
			assertThat(application.guard().membership("products", 1)).isEqualTo(Membership.MAYBE);
			assertThat(application.guard().membership("products", 2)).isEqualTo(Membership.ABSENT);
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "table=product", "warm-up.query=select id from product" })
	void filterReadsTheOneOfSeveralDatabasesThatItNames(String source) {
		Tenants databases = new Tenants();
		databases.setTargetDataSources(Map.of("catalogue", postgres.dataSource()));
		databases.setDefaultTargetDataSource(TestPostgres.create().dataSource());
		databases.afterPropertiesSet();
		try (GuardApplication application = start(databases, FILTER + source, FILTER + "data-source=catalogue")
			.awaitReady()) {
			assertThat(application.guard().membership("products", 1)).isEqualTo(Membership.MAYBE);
			assertThat(application.guard().membership("products", 2)).isEqualTo(Membership.ABSENT);
		}
	}

	@Test
	void databaseThatIsNotThereStopsTheStart(CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(tenants(), QUERY, FILTER + "data-source=another").close());
		assertThat(output).contains("APPLICATION FAILED TO START")
			.contains(FILTER + "data-source is 'another'")
			.contains("other]");
	}

	@Test
	void dataSourceFromWhichNothingIsReadStopsTheStart(CapturedOutput output) {
		assertThatException().isThrownBy(() -> start(tenants(), FILTER + "data-source=other").close());
		assertThat(output).contains(FILTER + "data-source is 'other', but nothing is read from it");
	}

	@Test
	void entityOfHibernateIsReadFromItsOwnDatabaseOnly(CapturedOutput output) {
		try (SessionFactory unit = unit(tenants())) {
			assertThatException().isThrownBy(
					() -> GuardApplication
						.start(redis, List.of(unit, tenants()), FILTER + "entity=" + Product.class.getName(),
								FILTER + "data-source=other")
						.close());
			assertThat(output).contains(FILTER + "data-source is set")
				.contains("use warm-up.query instead of the entity");
		}
	}

	@Test
	void oneDatabaseBehindProxiesIsLetThrough() {
		try (GuardApplication application = start(new LazyConnectionDataSourceProxy(postgres.dataSource()), QUERY)) {
			application.awaitReady();
		}
	}

	private static GuardApplication start(DataSource dataSource, String... properties) {
		return GuardApplication.start(redis, List.of(dataSource), properties);
	}

	private static SessionFactory unit(DataSource dataSource) {
		Configuration configuration = new Configuration().addAnnotatedClass(Product.class)
			.setProperty("hibernate.boot.allow_jdbc_metadata_access", "false")
			.setProperty("hibernate.dialect", PostgreSQLDialect.class.getName());
		configuration.getProperties().put("hibernate.connection.datasource", dataSource);
		return configuration.buildSessionFactory();
	}

	private static Tenants tenants() {
		Tenants tenants = new Tenants();
		tenants.setTargetDataSources(Map.of("other", postgres.dataSource()));
		tenants.setDefaultTargetDataSource(postgres.dataSource());
		tenants.afterPropertiesSet();
		return tenants;
	}

	/**
	 * A database for each tenant.
	 */
	static class Tenants extends AbstractRoutingDataSource {

		@Override
		protected Object determineCurrentLookupKey() {
			return null;
		}

	}

	@Entity(name = "product")
	static class Product {

		@Id
		long id;

	}

}
