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

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import io.github.bloomguard.KeySource;
import io.github.bloomguard.Membership;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.jpa.repository.config.EnableJpaRepositories;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.stereotype.Component;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the source of keys that the documentation shows.
 */
class DocumentedKeySourceTests {

	private static final int ROWS = 25_000;

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	private static final TestPostgres postgres = TestPostgres.create();

	@Test
	void sourceReadsARepositoryOfJpaPageByPageWithoutATransaction() {
		postgres.execute("create table product (id bigint primary key)",
				"insert into product select generate_series(1 - " + ROWS + ", 0)");
		try (GuardApplication application = GuardApplication.start(redis, List.of(Repositories.class, ProductIds.class),
				postgres.and(GuardApplication.HIBERNATE, "bloom-guard.filters.products.expected-insertions=" + ROWS))) {
			application.awaitReady();
			assertThat(application.products().warmUp().progress().loaded()).isEqualTo(ROWS);
			assertThat(application.guard().membership("products", 0)).isEqualTo(Membership.MAYBE);
			assertThat(application.guard().membership("products", 1)).isEqualTo(Membership.ABSENT);
		}
	}

	@Test
	void documentationShowsThisSource() throws IOException {
		String test = Files.readString(Path.of("src/test/java", getClass().getName().replace('.', '/') + ".java"));
		String shown = test.substring(test.indexOf("\t@Component\n"), test.indexOf("\t@Entity"));
		assertThat(Files.readString(Path.of("../docs/guides/key-sources.md"))).containsIgnoringWhitespaces(shown);
	}

	@Component
	record ProductIds(ProductRepository repository) implements KeySource {

		@Override
		public String filter() {
			return "products";
		}

		@Override
		public Stream<?> keys() {
			return Stream.iterate(page(Long.MIN_VALUE), (ids) -> !ids.isEmpty(), (ids) -> page(ids.get(ids.size() - 1)))
				.flatMap(List::stream);
		}

		private List<Long> page(long after) {
			return this.repository.findIds(after, Limit.of(10_000));
		}

	}

	interface ProductRepository extends JpaRepository<Product, Long> {

		@Query("select p.id from Product p where p.id > ?1 order by p.id")
		List<Long> findIds(long after, Limit limit);

	}

	@Entity(name = "Product")
	@Table(name = "product")
	static class Product {

		@Id
		Long id;

	}

	@Configuration(proxyBeanMethods = false)
	@EnableJpaRepositories(basePackageClasses = DocumentedKeySourceTests.class, considerNestedRepositories = true)
	static class Repositories {

		@Bean
		PersistenceManagedTypes managedTypes() {
			return PersistenceManagedTypes.of(Product.class.getName());
		}

	}

}
