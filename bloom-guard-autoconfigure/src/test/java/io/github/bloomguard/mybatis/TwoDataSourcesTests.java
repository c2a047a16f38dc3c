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

package io.github.bloomguard.mybatis;

import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

import javax.sql.DataSource;

import com.baomidou.mybatisplus.extension.spring.MybatisSqlSessionFactoryBean;
import io.github.bloomguard.Membership;
import io.github.bloomguard.mybatis.MyBatisShop.Part;
import io.github.bloomguard.mybatis.MyBatisShop.Parts;
import io.github.bloomguard.mybatis.MyBatisShop.Product;
import io.github.bloomguard.mybatis.MyBatisShop.Products;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.RemovedKeys;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import org.apache.ibatis.annotations.Insert;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mybatis.spring.mapper.MapperFactoryBean;

import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Primary;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.jdbc.datasource.lookup.AbstractRoutingDataSource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;

/**
 * Tests for an application with two databases, each with a factory of sessions and a
 * filter of an entity.
 */
@Tag("slow")
class TwoDataSourcesTests {

	private final TestPostgres catalogue = TestPostgres.create(MyBatisShop.SCHEMA[0],
			"insert into product (id) values (-1)");

	private final TestPostgres stock = TestPostgres.create(MyBatisShop.SCHEMA[1], "insert into part (id) values (-2)");

	@Test
	void eachFactoryLoadsAddsAndRemovesTheKeysOfItsOwnFilter() {
		try (TestRedis redis = TestRedis.start().reset("products", "parts");
				GuardApplication application = start(redis)) {
			assertFound(application, "products", -1);
			assertFound(application, "parts", -2);
			Product product = new Product("a");
			application.bean(Products.class).insert(product);
			Part part = new Part("a");
			application.bean(Parts.class).insert(part);
			List<Product> products = LongStream.range(0, 5).mapToObj((i) -> new Product("p" + i)).toList();
			List<Part> parts = LongStream.range(0, 5).mapToObj((i) -> new Part("p" + i)).toList();
			transactions(application, "catalogueTransactions").executeWithoutResult((outer) -> {
				application.bean(Products.class).insert(products, 2);
				transactions(application, "stockTransactions")
					.executeWithoutResult((status) -> application.bean(Parts.class).insert(parts, 2));
			});
			Part batched = new Part("batched");
			SqlSessionFactory factory = application.context().getBean("stockSessions", SqlSessionFactory.class);
			try (SqlSession session = factory.openSession(ExecutorType.BATCH, false)) {
				session.getMapper(Parts.class).insert(batched);
				session.commit();
			}
			assertFound(application, "products", product.getId());
			products.forEach((each) -> assertFound(application, "products", each.getId()));
			assertFound(application, "parts", part.getId());
			parts.forEach((each) -> assertFound(application, "parts", each.getId()));
			assertFound(application, "parts", batched.getId());
			application.forgetWhatWasAdded(redis);
			application.bean(Parts.class).deleteById(part.getId());
			Awaitility.await()
				.untilAsserted(
						() -> assertThat(RemovedKeys.of(redis, "parts")).containsExactly(part.getId().toString()));
			assertThat(RemovedKeys.of(redis, "products")).isEmpty();
			assertThat(List.of("products", "parts"))
				.allMatch((filter) -> application.guard().membership(filter, 4711) == Membership.ABSENT);
		}
	}

	@Test
	void rowsOfABatchAreNotWrittenForOthersBeforeRedisHasTheirKeys() {
		try (TestRedis redis = TestRedis.start().reset("products", "parts");
				GuardApplication application = start(redis)) {
			SqlSessionFactory factory = application.context().getBean("stockSessions", SqlSessionFactory.class);
			TransactionTemplate ofStock = transactions(application, "stockTransactions");
			TransactionTemplate ofCatalogue = transactions(application, "catalogueTransactions");
			factory.getConfiguration().addMapper(PartsWithIds.class);
			redis.freeze();
			assertNotWritten(() -> insertBatch(factory));
			assertNotWritten(() -> ofStock.executeWithoutResult((status) -> insertBatch(factory)));
			assertNotWritten(() -> ofCatalogue.executeWithoutResult((status) -> insertBatch(factory)));
			redis.thaw();
		}
	}

	/**
	 * As with {@code @DS} of dynamic-datasource, which the guard's threads do not have.
	 */
	@Test
	void entityIsReadFromTheOneOfSeveralDatabasesThatItsFilterNames() {
		try (TestRedis redis = TestRedis.start().reset("products");
				GuardApplication application = GuardApplication
					.start(redis, List.of(RoutedShop.class), "test.catalogue.url=" + this.catalogue.url(),
							"test.stock.url=" + this.stock.url(),
							"bloom-guard.filters.products.entity=" + Product.class.getName(),
							"bloom-guard.filters.products.data-source=catalogue")
					.awaitReady()) {
			assertFound(application, "products", -1);
			assertThat(application.guard().membership("products", 4711)).isEqualTo(Membership.ABSENT);
			Product product = new Product("a");
			Routed.key.set("catalogue");
			try {
				application.bean(Products.class).insert(product);
			}
			finally {
				Routed.key.remove();
			}
			assertFound(application, "products", product.getId());
		}
	}

	private static void insertBatch(SqlSessionFactory factory) {
		try (SqlSession session = factory.openSession(ExecutorType.BATCH)) {
			for (long id = 1000; id < 1150; id++) {
				session.getMapper(PartsWithIds.class).insert(id);
			}
			session.flushStatements();
			session.commit();
		}
	}

	private void assertNotWritten(ThrowingCallable insert) {
		assertThatException().isThrownBy(insert).withStackTraceContaining("KeyNotAddedException");
		assertThat(this.stock.template().queryForObject("select count(*) from part", Long.class)).isOne();
	}

	private GuardApplication start(TestRedis redis) {
		GuardApplication application = GuardApplication.start(redis, List.of(Shop.class), "bloom-guard.add-timeout=1s",
				"spring.datasource.url=" + this.catalogue.url(), "test.stock.url=" + this.stock.url(),
				"bloom-guard.filters.products.entity=" + Product.class.getName(),
				"bloom-guard.filters.parts.entity=" + Part.class.getName(),
				"bloom-guard.filters.parts.expected-insertions=10000",
				"bloom-guard.filters.parts.rebuild.longest-transaction=100ms",
				"bloom-guard.filters.parts.mirror.enabled=false",
				"bloom-guard.filters.parts.verification.required-calls=0",
				"bloom-guard.filters.parts.verification.mode=off", "bloom-guard.filters.parts.rebuild.settle=0s",
				"bloom-guard.filters.parts.warm-up.recheck-empty=0s");
		Awaitility.await()
			.until(() -> List.of("products", "parts")
				.stream()
				.allMatch((filter) -> application.guard().membership(filter, 4711) == Membership.ABSENT));
		return application;
	}

	private static TransactionTemplate transactions(GuardApplication application, String name) {
		return new TransactionTemplate(application.context().getBean(name, PlatformTransactionManager.class));
	}

	private static void assertFound(GuardApplication application, String filter, long key) {
		assertThat(application.guard().membership(filter, key)).as(filter + " " + key).isEqualTo(Membership.MAYBE);
	}

	interface PartsWithIds {

		@Insert("insert into part (id) values (#{id})")
		void insert(long id);

	}

	@Configuration(proxyBeanMethods = false)
	static class Shop {

		@Bean
		@Primary
		DataSource catalogue(@Value("${spring.datasource.url}") String url) {
			return new DriverManagerDataSource(url);
		}

		@Bean
		DataSource stock(@Value("${test.stock.url}") String url) {
			return new DriverManagerDataSource(url);
		}

		@Bean
		@Primary
		DataSourceTransactionManager catalogueTransactions(DataSource catalogue) {
			return new DataSourceTransactionManager(catalogue);
		}

		@Bean
		DataSourceTransactionManager stockTransactions(@Qualifier("stock") DataSource stock) {
			return new DataSourceTransactionManager(stock);
		}

		@Bean
		@Primary
		MybatisSqlSessionFactoryBean catalogueSessions(DataSource catalogue) {
			return sessions(catalogue);
		}

		@Bean
		MybatisSqlSessionFactoryBean stockSessions(@Qualifier("stock") DataSource stock) {
			return sessions(stock);
		}

		private static MybatisSqlSessionFactoryBean sessions(DataSource dataSource) {
			MybatisSqlSessionFactoryBean sessions = new MybatisSqlSessionFactoryBean();
			sessions.setDataSource(dataSource);
			return sessions;
		}

		@Bean
		MapperFactoryBean<Products> products(SqlSessionFactory catalogueSessions) {
			return mapper(Products.class, catalogueSessions);
		}

		@Bean
		MapperFactoryBean<Parts> parts(@Qualifier("stockSessions") SqlSessionFactory stockSessions) {
			return mapper(Parts.class, stockSessions);
		}

		private static <T> MapperFactoryBean<T> mapper(Class<T> type, SqlSessionFactory sessions) {
			MapperFactoryBean<T> mapper = new MapperFactoryBean<>(type);
			mapper.setSqlSessionFactory(sessions);
			return mapper;
		}

	}

	@Configuration(proxyBeanMethods = false)
	static class RoutedShop {

		@Bean
		DataSource dataSource(@Value("${test.catalogue.url}") String catalogue,
				@Value("${test.stock.url}") String stock) {
			Routed routed = new Routed();
			routed.setTargetDataSources(Map.of("catalogue", new DriverManagerDataSource(catalogue)));
			routed.setDefaultTargetDataSource(new DriverManagerDataSource(stock));
			return routed;
		}

		@Bean
		MybatisSqlSessionFactoryBean sessions(DataSource dataSource) {
			return Shop.sessions(dataSource);
		}

		@Bean
		MapperFactoryBean<Products> products(SqlSessionFactory sessions) {
			return Shop.mapper(Products.class, sessions);
		}

	}

	private static final class Routed extends AbstractRoutingDataSource {

		private static final ThreadLocal<String> key = new ThreadLocal<>();

		@Override
		protected Object determineCurrentLookupKey() {
			return key.get();
		}

	}

}
