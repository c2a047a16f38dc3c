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

package io.github.bloomguard.sample;

import java.io.IOException;
import java.math.BigDecimal;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.bloomguard.testsupport.Needed;
import io.github.bloomguard.testsupport.Needs;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import jakarta.persistence.EntityManagerFactory;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.data.jpa.repository.support.JpaRepositoryFactory;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.orm.jpa.JpaTransactionManager;
import org.springframework.orm.jpa.LocalContainerEntityManagerFactoryBean;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.orm.jpa.vendor.HibernateJpaVendorAdapter;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CatalogueInitializer} and {@link ProductRepository} on both databases.
 */
@Needs(Needed.POSTGRESQL)
@Tag("slow")
class CatalogueInitializerTests {

	private static EmbeddedPostgres postgres;

	@BeforeAll
	static void startPostgres() throws IOException {
		postgres = EmbeddedPostgres.start();
	}

	@AfterAll
	static void stopPostgres() throws IOException {
		postgres.close();
	}

	static Stream<DataSource> emptyDatabases() {
		return Stream.of(emptyH2(), emptyPostgres());
	}

	@ParameterizedTest
	@MethodSource("emptyDatabases")
	void emptyTableIsFilled(DataSource dataSource) {
		new CatalogueInitializer(dataSource).initializeDatabase();
		JdbcClient jdbc = JdbcClient.create(dataSource);
		assertThat(jdbc.sql("select count(*) from product where id between 1 and 100000").query(Long.class).single())
			.isEqualTo(100_000);
		assertThat(jdbc.sql("select min(price) from product").query(BigDecimal.class).single())
			.isEqualByComparingTo("1");
	}

	@ParameterizedTest
	@MethodSource("emptyDatabases")
	void tableThatHoldsSomethingIsLeftAlone(DataSource dataSource) {
		new CatalogueInitializer(dataSource).initializeDatabase();
		JdbcClient jdbc = JdbcClient.create(dataSource);
		jdbc.sql("delete from product where id > 10").update();
		new CatalogueInitializer(dataSource).initializeDatabase();
		assertThat(count(jdbc)).isEqualTo(10);
	}

	@ParameterizedTest
	@MethodSource("emptyDatabases")
	void repositoryFindsWhatItHasInsertedAndCountsIt(DataSource dataSource) {
		new CatalogueInitializer(dataSource).initializeDatabase();
		QueryCounter counter = new QueryCounter();
		try (EntityManagerFactory factory = entities(dataSource)) {
			ProductEntities entities = new JpaRepositoryFactory(
					SharedEntityManagerCreator.createSharedEntityManager(factory))
				.getRepository(ProductEntities.class);
			findWhatWasInserted(new ProductRepository(entities, counter, new RequestTrace()),
					new TransactionTemplate(new JpaTransactionManager(factory)));
		}
		assertThat(counter.stats()).isEqualTo(new QueryCounter.Stats(3, 1));
	}

	private static void findWhatWasInserted(ProductRepository repository, TransactionTemplate transactions) {
		Product product = transactions
			.execute((status) -> repository.insert(new NewProduct("Umbrella", new BigDecimal("19.9"))));
		assertThat(product).isEqualTo(new Product(100_001, "Umbrella", new BigDecimal("19.90")));
		assertThat(repository.findById(100_001)).isEqualTo(product);
		assertThat(repository.findById(100_002)).isNull();
		assertThat(repository.findAllById(List.of(100_001L, 3L, 100_002L))).extracting(Product::id)
			.containsExactly(3L, 100_001L);
	}

	private static EntityManagerFactory entities(DataSource dataSource) {
		LocalContainerEntityManagerFactoryBean factory = new LocalContainerEntityManagerFactoryBean();
		factory.setDataSource(dataSource);
		factory.setJpaVendorAdapter(new HibernateJpaVendorAdapter());
		factory.setPackagesToScan(ProductEntity.class.getPackageName());
		factory.afterPropertiesSet();
		return Objects.requireNonNull(factory.getObject());
	}

	@Test
	void instancesThatStartTogetherFillTheTableOnce() {
		DataSource dataSource = emptyPostgres();
		CompletableFuture<?>[] instances = Stream.generate(() -> new CatalogueInitializer(dataSource))
			.limit(4)
			.map((initializer) -> CompletableFuture.runAsync(initializer::initializeDatabase,
					(task) -> new Thread(task).start()))
			.toArray(CompletableFuture[]::new);
		CompletableFuture.allOf(instances).join();
		assertThat(count(JdbcClient.create(dataSource))).isEqualTo(100_000);
	}

	private static long count(JdbcClient jdbc) {
		return jdbc.sql("select count(*) from product").query(Long.class).single();
	}

	private static DataSource emptyH2() {
		return new DriverManagerDataSource("jdbc:h2:mem:" + UUID.randomUUID() + ";DB_CLOSE_DELAY=-1");
	}

	private static DataSource emptyPostgres() {
		String name = "catalogue_" + UUID.randomUUID().toString().replace("-", "");
		JdbcClient.create(postgres.getPostgresDatabase()).sql("create database " + name).update();
		return postgres.getDatabase("postgres", name);
	}

}
