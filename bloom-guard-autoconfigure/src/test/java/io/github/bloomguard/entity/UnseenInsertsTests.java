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
import java.util.Map;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.github.bloomguard.logging.LogFields;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.LogLines;
import io.github.bloomguard.testsupport.TestMariaDb;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import org.hibernate.cfg.Configuration;
import org.hibernate.cfg.JdbcSettings;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.spi.EventType;
import org.hibernate.resource.jdbc.spi.StatementInspector;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link UnseenInserts}.
 */
@ExtendWith(OutputCaptureExtension.class)
class UnseenInsertsTests {

	private static final String WARNING = "A statement in JPQL or SQL adds rows to the table ";

	@AutoClose
	private static final TestRedis redis = Shop.redis();

	private static final TestPostgres postgres = TestPostgres.create();

	@Test
	void insertOfSelectedRowsIsWarnedOfOnce(CapturedOutput output) {
		try (GuardApplication application = Shop.start(redis, postgres, List.of())) {
			update(application, "insert into Shop$Book (isbn) values ('978-1')");
			application.bean(EntityManagerFactory.class)
				.runInTransaction((entities) -> entities.persist(new Shop.Lorry()));
			assertThat(output).doesNotContain(WARNING);
			for (int i = 0; i < 2; i++) {
				update(application,
						"insert into Shop$Book (isbn) select concat(b.isbn, '-', " + i + ") from Shop$Book b");
				update(application, "insert into Article (sku) select a.sku from Article a");
				update(application, "insert into Shop$Lorry (axles) select l.axles from Shop$Lorry l");
				update(application, "insert into Shop$Receipt (id) select r.id from Shop$Receipt r");
			}
			assertThat(output.toString().split(WARNING)).hasSize(4);
			assertThat(output).contains(WARNING + "book, whose keys nobody tells the filter 'books'")
				.contains(WARNING + "product, ")
				.contains(WARNING + "vehicle, ");
		}
	}

	@Test
	void inspectorOfTheApplicationStays(CapturedOutput output) {
		try (GuardApplication application = Shop.start(redis, postgres, List.of(),
				"spring.jpa.properties.hibernate.session_factory.statement_inspector=" + Inspector.class.getName())) {
			update(application, "insert into Shop$Book (isbn) select concat(b.isbn, '-3') from Shop$Book b");
			assertThat(application.bean(EntityManagerFactory.class)
				.unwrap(SessionFactoryImplementor.class)
				.getSessionFactoryOptions()
				.getStatementInspector()).isInstanceOf(Inspector.class);
			assertThat(output).doesNotContain(WARNING);
		}
	}

	@Test
	void statementsAreToldApart(CapturedOutput output) {
		UnseenInserts inserts = new UnseenInserts();
		inserts.watch("\"order\"", "orders");
		inserts.watch("shop.product", "products");
		for (String sql : List.of("select * from shop.product", "insert into shop.product (id) values (1)",
				"insert into shop.product (id, n) values (1, (select max(n) from shop.product))",
				"insert into shop.product_copy select * from shop.product")) {
			assertThat(inserts.inspect(sql)).isEqualTo(sql);
		}
		assertThat(output).doesNotContain(WARNING);
		inserts.inspect("INSERT INTO \"order\" SELECT * FROM old");
		inserts.inspect("with n as (select 1) insert into shop.product as p(id, n) (select * from n)");
		assertThat(output).contains(WARNING + "\"order\", ").contains(WARNING + "shop.product, ");
	}

	@ParameterizedTest
	@ValueSource(strings = { "insert ignore into product select * from old", "INSERT IGNORE product SELECT 1",
			"replace into product select * from old", "replace product (id) values (?)",
			"replace low_priority into product set id = 1", "insert into product set id = 1",
			"insert into product table old", "insert high_priority into product (id) select 1",
			"insert into product (id) values (?) on duplicate key update name = 'a'",
			"insert into product (id) values (?) as new\non duplicate  key update name = new.name",
			"load data infile 'a.csv' into table product",
			"load data low_priority local infile 'a' replace into table" + " product fields terminated by ','",
			"load xml infile 'a' ignore into table `product`", "insert into `product` select 1",
			"insert into \"product\" select 1", "insert into [product] select 1", "insert into shop.product select 1",
			"insert into `shop`.`product` select 1", "insert into \"a shop\" . \"product\" (id) select 1",
			"insert into PRODUCT select 1", "/* from old */ insert into product select 1",
			"-- from old\ninsert into product select 1", "  with n as (select 1) insert into product select * from n",
			"insert into product partition (p0, p1) (id) select 1" })
	void rowsThatHibernateDoesNotTellOfAreNoticed(String sql) {
		UnseenInserts inserts = new UnseenInserts();
		inserts.watch("product", "products");
		try (LogLines lines = LogLines.of(UnseenInserts.class, Level.WARN)) {
			assertThat(inserts.inspect(sql)).isEqualTo(sql);
			assertThat(lines.lines()).singleElement().asString().contains(WARNING).contains("'products'");
			assertThat(lines.events()).extracting(ILoggingEvent::getMDCPropertyMap)
				.containsOnly(Map.of(LogFields.FILTER, "products"));
		}
	}

	@ParameterizedTest
	@ValueSource(strings = { "insert into product (id) values (?)", "insert into old select * from product",
			"insert into product_copy select 1", "insert into `product 2` select 1", "insert into product.old select 1",
			"load data infile 'product' into table old",
			"update old set name = replace(name, 'insert into product" + " select', '')",
			"replace into old select * from product", "insert into product (id, name) values (?, 'on duplicate')",
			"with n as (select replace (name, 'a', 'b') from product) select * from n",
			"delete from product where id in (select id from old)", "create or replace view product as select 1" })
	void otherStatementsAreNot(String sql, CapturedOutput output) {
		UnseenInserts inserts = new UnseenInserts();
		inserts.watch("`product`", "products");
		assertThat(inserts.inspect(sql)).isEqualTo(sql);
		assertThat(output).doesNotContain(WARNING);
	}

	@Test
	void tableOfAnotherSchemaIsAnotherTable(CapturedOutput output) {
		UnseenInserts inserts = new UnseenInserts();
		inserts.watch("shop.product", "products");
		inserts.inspect("insert into archive.product select * from shop.product");
		assertThat(output).doesNotContain(WARNING);
		inserts.inspect("insert into product select * from archive.product");
		assertThat(output).contains(WARNING);
	}

	@Test
	void upsertOfAnEntityIsTold(CapturedOutput output) {
		TestMariaDb mariaDb = TestMariaDb.create("create table product (id bigint primary key, name varchar(9))");
		UnseenInserts inserts = new UnseenInserts();
		inserts.watch("product", "products");
		try (SessionFactoryImplementor factory = new Configuration().addAnnotatedClass(Product.class)
			.setProperty(JdbcSettings.JAKARTA_JDBC_URL, mariaDb.url())
			.setStatementInspector(inserts)
			.buildSessionFactory()
			.unwrap(SessionFactoryImplementor.class)) {
			factory.getEventListenerRegistry().appendListeners(EventType.PRE_UPSERT, inserts);
			factory.inStatelessTransaction((session) -> session.upsert(new Product()));
			assertThat(mariaDb.template().queryForObject("select name from product where id = 7", String.class))
				.isEqualTo("a");
			assertThat(output).doesNotContain(WARNING);
			factory.inStatelessTransaction((session) -> session
				.createNativeMutationQuery("insert into product (id) values (8) on duplicate key update id = 8")
				.executeUpdate());
			assertThat(output).contains(WARNING);
		}
	}

	private static void update(GuardApplication application, String jpql) {
		application.bean(EntityManagerFactory.class)
			.runInTransaction((EntityManager entities) -> entities.createQuery(jpql).executeUpdate());
	}

	public static class Inspector implements StatementInspector {

		private static final long serialVersionUID = 1L;

		@Override
		public String inspect(String sql) {
			return sql;
		}

	}

	@Entity(name = "product")
	static class Product {

		@Id
		long id = 7;

		String name = "a";

	}

}
