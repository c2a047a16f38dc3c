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

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import com.baomidou.mybatisplus.core.metadata.TableInfoHelper;
import com.baomidou.mybatisplus.core.toolkit.IdWorker;
import com.baomidou.mybatisplus.extension.plugins.MybatisPlusInterceptor;
import com.baomidou.mybatisplus.extension.plugins.inner.DynamicTableNameInnerInterceptor;
import com.baomidou.mybatisplus.extension.service.impl.ServiceImpl;
import com.baomidou.mybatisplus.extension.toolkit.Db;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.Membership;
import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.mybatis.MyBatisShop.Note;
import io.github.bloomguard.mybatis.MyBatisShop.Part;
import io.github.bloomguard.mybatis.MyBatisShop.Parts;
import io.github.bloomguard.mybatis.MyBatisShop.Product;
import io.github.bloomguard.mybatis.MyBatisShop.Products;
import io.github.bloomguard.mybatis.MyBatisShop.Statements;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.LogLines;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import org.apache.ibatis.plugin.Interceptor;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.session.ExecutorType;
import org.apache.ibatis.session.SqlSession;
import org.apache.ibatis.session.SqlSessionFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.mybatis.spring.MyBatisSystemException;
import org.mybatis.spring.SqlSessionTemplate;

import org.springframework.test.util.ReflectionTestUtils;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for filters of entities of MyBatis-Plus: rows that one instance writes are found
 * by another one.
 */
@Tag("slow")
class MyBatisEntityTests {

	private static final List<String> FILTERS = List.of("products", "skus", "parts", "labels");

	private static final AtomicLong numbers = new AtomicLong();

	@AutoClose
	private static final TestRedis redis = TestRedis.start().reset("skus", "parts", "labels");

	private static final TestPostgres postgres = TestPostgres.create(MyBatisShop.SCHEMA);

	@AutoClose
	private static GuardApplication reader;

	/**
	 * Started last, because static methods of MyBatis-Plus use that one.
	 */
	@AutoClose
	private static GuardApplication writer;

	@BeforeAll
	static void startInstances() {
		postgres.execute("insert into product select -i, 'old ' || i, 'n', i % 2 from generate_series(1, 1000) i",
				"insert into part (label) select 'old' from generate_series(1, 10)");
		reader = MyBatisShop.start(redis, postgres);
		writer = MyBatisShop.start(redis, postgres, "bloom-guard.filters.products.warm-up.partitions=3");
		awaitReady();
	}

	@Test
	void rowsAreLoadedAlsoThoseThatAreLogicallyDeleted() {
		for (long id = -1000; id < 0; id++) {
			assertFound("products", id);
		}
		assertFound("skus", "old 7");
		assertFound("parts", 7);
		assertAbsentIsTold();
	}

	@ParameterizedTest
	@EnumSource(ExecutorType.class)
	void rowsOfEachWayToInsertAreFound(ExecutorType executor) {
		ways(executor).forEach((way, insert) -> {
			List<Product> products = products();
			insert.accept(products);
			assertInserted(way, products);
			List<Product> committed = products();
			transactions().executeWithoutResult((status) -> insert.accept(committed));
			assertInserted(way + " in a transaction", committed);
			List<Product> rolledBack = products();
			transactions().executeWithoutResult((status) -> {
				insert.accept(rolledBack);
				status.setRollbackOnly();
			});
			assertThat(rolledBack).as(way).noneMatch((product) -> isThere(product.getId()));
		});
		assertAbsentIsTold();
	}

	@ParameterizedTest
	@EnumSource(ExecutorType.class)
	void idsThatTheDatabaseGeneratesAreFound(ExecutorType executor) {
		SqlSessionTemplate session = session(executor);
		PartService service = new PartService(session.getMapper(Parts.class));
		Statements statements = session.getMapper(Statements.class);
		List<Consumer<List<Part>>> ways = new ArrayList<>(List.of((parts) -> parts.forEach(service::save),
				service::saveBatch, (parts) -> parts.forEach(statements::insertPartOfSequence)));
		if (executor != ExecutorType.BATCH) {
			// MyBatis does not set the ids of a list in a batch
			ways.add(statements::insertParts);
		}
		for (Consumer<List<Part>> insert : ways) {
			List<Part> parts = List.of(new Part("one"), new Part("two"));
			insert.accept(parts);
			List<Part> committed = List.of(new Part("three"), new Part("four"));
			transactions().executeWithoutResult((status) -> insert.accept(committed));
			Stream.concat(parts.stream(), committed.stream()).forEach((part) -> assertFound("parts", part.getId()));
		}
		assertAbsentIsTold();
	}

	@ParameterizedTest
	@EnumSource(ExecutorType.class)
	void rowsOfSessionsThatNoBeanHasAreFound(ExecutorType executor) {
		Product reused = new Product("reused");
		List<Long> ids = new ArrayList<>();
		Part part = new Part("flushed by a query");
		try (SqlSession session = writer.bean(SqlSessionFactory.class).openSession(executor, false)) {
			for (int i = 0; i < 3; i++) {
				reused.setId(IdWorker.getId());
				ids.add(reused.getId());
				session.getMapper(Products.class).insert(reused);
			}
			session.getMapper(Parts.class).insert(part);
			session.getMapper(Statements.class).countParts();
			session.commit();
		}
		ids.forEach((id) -> assertFound("products", id));
		assertFound("parts", part.getId());
	}

	/**
	 * What registers during the commit is not asked before it.
	 */
	@Test
	void keysOfABatchAreLookedAfterFromTheirStatementOn() {
		transactions().executeWithoutResult((status) -> {
			session(ExecutorType.BATCH).getMapper(Products.class).insert(new Product("batched"));
			session(ExecutorType.BATCH).getMapper(Parts.class).insert(new Part("batched"));
			assertThat(TransactionSynchronizationManager.getSynchronizations())
				.filteredOn((synchronization) -> synchronization.getClass().getName().contains("KeysInTransaction"))
				.hasSize(1);
		});
	}

	@Test
	void rowsOfPlainStatementsAreFound() {
		Statements statements = writer.bean(Statements.class);
		long id = IdWorker.getId();
		statements.insertProduct(id, "plain");
		assertFound("products", id);
		assertFound("skus", "plain");
		statements.rename(id, "renamed");
		assertFound("skus", "renamed");
		statements.insertAndReturn(id + 1, "returned");
		assertFound("products", id + 1);
		statements.insertBound("bound");
		assertFound("products",
				postgres.template().queryForObject("select id from product where sku = 'bound'", Long.class));
		Product changed = new Product("changed");
		changed.setId(id);
		writer.bean(Products.class).updateById(changed);
		assertFound("skus", "changed");
		assertAbsentIsTold();
	}

	@Test
	void attributeThatIsLeftOutIsNoKeyUnlessItsColumnHasADefault() {
		Product product = new Product(null);
		writer.bean(Products.class).insert(product);
		assertFound("products", product.getId());
		assertAbsentIsTold();
		writer.bean(Statements.class).insertPartWithoutLabel(-1);
		awaitFound("labels", "none");
		awaitReady();
	}

	@Test
	void rowsWhoseKeysAStatementDoesNotTellAreFoundBecauseTheFilterIsLoadedAgain() {
		Statements statements = writer.bean(Statements.class);
		try (LogLines log = LogLines.of(MyBatisAdds.class, Level.WARN)) {
			for (Consumer<Long> insert : List.<Consumer<Long>>of(statements::insertSelected, statements::insertInQuery,
					(id) -> statements.execute("insert into product (id, sku) values (" + id + ", 'text')"),
					(id) -> transactions().executeWithoutResult((status) -> statements.insertSelected(id)))) {
				long id = IdWorker.getId();
				insert.accept(id);
				assertNotAbsent(writer, id);
				assertNotAbsent(reader, id);
				awaitFound("products", id);
				awaitReady();
			}
			assertThat(log.lines())
				.anyMatch((line) -> line.contains("The filter 'products' is loaded again, because the statement "
						+ Statements.class.getName() + ".insertSelected writes product.id"))
				.anyMatch((line) -> line.contains(Statements.class.getName() + ".execute"));
		}
	}

	@ParameterizedTest
	@EnumSource(ExecutorType.class)
	void rowIsFoundAlthoughMyBatisHasFailedToSetItsId(ExecutorType executor) {
		String label = "failed " + executor;
		assertThatExceptionOfType(MyBatisSystemException.class)
			.isThrownBy(() -> session(executor).getMapper(Statements.class).insertPartWithoutItsId(new Part(label)));
		long id = postgres.template().queryForObject("select id from part where label = ?", Long.class, label);
		assertThat(reader.guard().membership("parts", id)).isNotEqualTo(Membership.ABSENT);
		awaitFound("parts", id);
		awaitReady();
	}

	@ParameterizedTest
	@CsvSource(delimiter = '|', nullValues = "none", textBlock = """
			none | which has no @TableId
			nmae | which it does not have
			day | whose keys are of the type java.time.LocalDate
			encoded | whose @TableField has a type handler
			""")
	void attributeWhoseFormInTheColumnIsNotKnownIsRefused(String attribute, String problem) {
		EntityKeys keys = new EntityKeys("notes", Note.class.getName(), attribute);
		assertThatExceptionOfType(InvalidGuardException.class)
			.isThrownBy(() -> EntityColumn.find(keys, TableInfoHelper.getTableInfo(Note.class)))
			.withMessageContaining("bloom-guard.filters.notes.entity is " + Note.class.getName())
			.withMessageContaining(problem);
	}

	@Test
	void entityWhoseTableHasAnotherNameForEachCallIsRefused() {
		MybatisPlusInterceptor plugin = new MybatisPlusInterceptor();
		plugin.addInnerInterceptor(new DynamicTableNameInnerInterceptor((sql, table) -> table + "_2026"));
		EntityKeys keys = new EntityKeys("products", Product.class.getName(), null);
		assertThatExceptionOfType(InvalidGuardException.class)
			.isThrownBy(
					() -> MyBatisEntities.checkName(keys, TableInfoHelper.getTableInfo(Product.class), List.of(plugin)))
			.withMessageContaining("bloom-guard.filters.products.entity is " + Product.class.getName())
			.withMessageContaining("'product' may have another name");
	}

	@Test
	void nothingIsAbsentWhileTheFactoryHasNoPlugin() {
		List<Interceptor> plugins = plugins();
		List<Interceptor> before = List.copyOf(plugins);
		plugins.clear();
		try {
			for (String filter : FILTERS) {
				await(filter, () -> writer.guard().membership(filter, 4711L) == Membership.UNKNOWN);
			}
			writer.bean(Products.class).insert(new Product("unseen"));
		}
		finally {
			plugins.addAll(before);
		}
		awaitFound("skus", "unseen");
		awaitReady();
	}

	@SuppressWarnings("unchecked")
	private static List<Interceptor> plugins() {
		Configuration configuration = writer.bean(SqlSessionFactory.class).getConfiguration();
		Object chain = ReflectionTestUtils.getField(configuration, Configuration.class, "interceptorChain");
		return (List<Interceptor>) ReflectionTestUtils.getField(chain, "interceptors");
	}

	private static Map<String, Consumer<List<Product>>> ways(ExecutorType executor) {
		SqlSessionTemplate session = session(executor);
		Products mapper = session.getMapper(Products.class);
		Statements statements = session.getMapper(Statements.class);
		ProductService service = new ProductService(mapper);
		Map<String, Consumer<List<Product>>> ways = new TreeMap<>();
		ways.put("save", (products) -> products.forEach(service::save));
		ways.put("saveBatch", service::saveBatch);
		ways.put("saveBatch by twos", (products) -> service.saveBatch(products, 2));
		ways.put("saveOrUpdate", (products) -> products.forEach(service::saveOrUpdate));
		ways.put("saveOrUpdateBatch", service::saveOrUpdateBatch);
		ways.put("insert", (products) -> products.forEach(mapper::insert));
		ways.put("insert of a list", mapper::insert);
		ways.put("insertOrUpdate", (products) -> products.forEach(mapper::insertOrUpdate));
		ways.put("Db.saveBatch", Db::saveBatch);
		ways.put("foreach", (products) -> {
			products.forEach((product) -> product.setId(IdWorker.getId()));
			statements.insertProducts(products);
		});
		if (executor == ExecutorType.SIMPLE) {
			// that of the mappers of the application, whatever is asked for
			ways.put("Db.save", (products) -> products.forEach(Db::save));
		}
		return ways;
	}

	private static SqlSessionTemplate session(ExecutorType executor) {
		return new SqlSessionTemplate(writer.bean(SqlSessionFactory.class), executor);
	}

	private static List<Product> products() {
		return Stream.generate(() -> new Product("new " + numbers.incrementAndGet())).limit(3).toList();
	}

	private static TransactionTemplate transactions() {
		return new TransactionTemplate(writer.bean(PlatformTransactionManager.class));
	}

	private static void assertInserted(String way, List<Product> products) {
		for (Product product : products) {
			assertThat(isThere(product.getId())).as(way).isTrue();
			assertThat(reader.guard().membership("products", product.getId())).as(way).isEqualTo(Membership.MAYBE);
			assertThat(reader.guard().membership("skus", product.getSku())).as(way).isEqualTo(Membership.MAYBE);
		}
	}

	private static boolean isThere(Long id) {
		return !postgres.template().queryForList("select 1 from product where id = ?", id).isEmpty();
	}

	private static void assertFound(String filter, Object key) {
		assertThat(reader.guard().membership(filter, key)).as(filter + " " + key).isEqualTo(Membership.MAYBE);
	}

	private static void assertNotAbsent(GuardApplication application, long id) {
		assertThat(application.guard().membership("products", id)).isNotEqualTo(Membership.ABSENT);
	}

	/**
	 * Nothing was mistrusted.
	 */
	private static void assertAbsentIsTold() {
		assertThat(isAbsentTold()).isTrue();
	}

	private static void awaitReady() {
		await("ready", MyBatisEntityTests::isAbsentTold);
	}

	private static boolean isAbsentTold() {
		return Stream.of(reader, writer)
			.allMatch((instance) -> FILTERS.stream()
				.allMatch((filter) -> instance.guard().membership(filter, 4711L) == Membership.ABSENT));
	}

	private static void awaitFound(String filter, Object key) {
		for (GuardApplication instance : List.of(reader, writer)) {
			await(filter + " " + key, () -> instance.guard().membership(filter, key) == Membership.MAYBE);
		}
	}

	private static void await(String what, Callable<Boolean> condition) {
		Awaitility.await(what).pollInterval(Duration.ofMillis(20)).until(condition);
	}

	private static final class ProductService extends ServiceImpl<Products, Product> {

		ProductService(Products mapper) {
			this.baseMapper = mapper;
		}

	}

	private static final class PartService extends ServiceImpl<Parts, Part> {

		PartService(Parts mapper) {
			this.baseMapper = mapper;
		}

	}

}
