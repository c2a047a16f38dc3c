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

import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.Membership;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestRedis;
import io.github.bloomguard.warmup.WarmUp;
import io.github.bloomguard.warmup.WarmUpProgress.Status;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import org.awaitility.Awaitility;
import org.hibernate.SessionFactory;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.boot.WebApplicationType;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.data.jdbc.autoconfigure.DataJdbcRepositoriesAutoConfiguration;
import org.springframework.boot.data.jpa.autoconfigure.DataJpaRepositoriesAutoConfiguration;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceTransactionManagerAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.JdbcTemplateAutoConfiguration;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.jdbc.core.JdbcOperations;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for persistence in a parent context, whose beans a child's post-processors do not
 * see.
 */
@Tag("slow")
class ParentContextTests {

	private static final String FILTER = "bloom-guard.filters.products.";

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	@Test
	void rowsThatAPersistenceUnitOfTheParentInsertsAreFound() {
		try (SessionFactory unit = unit(); GenericApplicationContext parent = new GenericApplicationContext()) {
			parent.registerBean(SessionFactory.class, () -> unit);
			parent.refresh();
			try (ConfigurableApplicationContext child = child(parent, Product.class)) {
				Awaitility.await()
					.until(() -> child.getBean(ManagedFilters.class)
						.find("products")
						.filter()
						.state() == FilterState.READY);
				unit.inTransaction((session) -> session.persist(new Product(7)));
				BloomGuard guard = child.getBean(BloomGuard.class);
				assertThat(guard.membership("products", 7)).isEqualTo(Membership.MAYBE);
				assertThat(guard.membership("products", 8)).isEqualTo(Membership.ABSENT);
			}
		}
	}

	@Test
	void nothingIsAbsentWhileSpringDataJdbcOfTheParentSavesRows() {
		try (ConfigurableApplicationContext parent = new SpringApplicationBuilder(Aggregates.class)
			.web(WebApplicationType.NONE)
			.properties("spring.datasource.url=jdbc:h2:mem:aggregates", "spring.main.banner-mode=off",
					"spring.main.register-shutdown-hook=false")
			.run()) {
			parent.getBean(JdbcOperations.class).execute("create table crate (id bigint primary key)");
			try (ConfigurableApplicationContext child = child(parent, Crate.class)) {
				WarmUp warmUp = child.getBean(ManagedFilters.class).find("products").warmUp();
				Awaitility.await()
					.until(() -> warmUp.progress().status() == Status.FAILED
							|| warmUp.progress().status() == Status.COMPLETED);
				parent.getBean(JdbcAggregateTemplate.class).insert(new Crate(7));
				assertThat(child.getBean(BloomGuard.class).membership("products", 7)).isNotEqualTo(Membership.ABSENT);
				assertThat(warmUp.progress().error()).contains("a parent context saves them");
			}
		}
	}

	private static SessionFactory unit() {
		return new org.hibernate.cfg.Configuration().addAnnotatedClass(Product.class)
			.setProperty("hibernate.connection.url", "jdbc:h2:mem:parent")
			.setProperty("hibernate.hbm2ddl.auto", "create")
			.buildSessionFactory();
	}

	private static ConfigurableApplicationContext child(ConfigurableApplicationContext parent, Class<?> entity) {
		return new SpringApplicationBuilder(Child.class).parent(parent)
			.web(WebApplicationType.NONE)
			.properties(redis.properties())
			.properties(
					"spring.autoconfigure.exclude=" + Stream
						.of(DataSourceAutoConfiguration.class, HibernateJpaAutoConfiguration.class,
								DataJpaRepositoriesAutoConfiguration.class, DataJdbcRepositoriesAutoConfiguration.class)
						.map(Class::getName)
						.collect(Collectors.joining(",")),
					"spring.main.banner-mode=off", "spring.main.register-shutdown-hook=false",
					FILTER + "entity=" + entity.getName(), FILTER + "expected-insertions=1000",
					FILTER + "verification.required-calls=0", FILTER + "rebuild.settle=0s",
					FILTER + "warm-up.recheck-empty=0s", FILTER + "rebuild.longest-transaction=100ms",
					"bloom-guard.timeout=10s")
			.run();
	}

	@Configuration(proxyBeanMethods = false)
	@EnableAutoConfiguration
	static class Child {

	}

	@Configuration(proxyBeanMethods = false)
	@AutoConfigurationPackage
	@ImportAutoConfiguration({ DataSourceAutoConfiguration.class, JdbcTemplateAutoConfiguration.class,
			DataSourceTransactionManagerAutoConfiguration.class, DataJdbcRepositoriesAutoConfiguration.class })
	static class Aggregates {

	}

	record Crate(@org.springframework.data.annotation.Id long id) {
	}

	@Entity(name = "product")
	static class Product {

		@Id
		long id;

		protected Product() {
		}

		Product(long id) {
			this.id = id;
		}

	}

}
