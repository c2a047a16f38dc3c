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
import java.util.List;

import io.github.bloomguard.Membership;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for rows that a trigger inserts when Hibernate writes others.
 */
@Tag("slow")
class TriggeredRowsTests {

	@AutoClose
	private static final TestRedis redis = TestRedis.start().reset();

	private final TestPostgres postgres = TestPostgres.create("create table kept (id int primary key)",
			"create table account (id int primary key, name varchar(20))");

	@Test
	void absentAnswersAreVerifiedBeforeTheyAreGivenWhereATriggerInsertsRows() {
		this.postgres.execute(
				"create function keep() returns trigger language plpgsql as $$ begin insert into public.kept (id)"
						+ " values (new.id); return new; end $$",
				"create trigger kept after update on account for each row execute function keep()");
		try (GuardApplication application = start()) {
			GenerationalFilter filter = application.products().filter();
			Generation loaded = filter.active();
			assertThat(filter.standing().required().unseenWriters()).isEqualTo("the trigger kept");
			assertThat(filter.standing().verification()).isEqualTo(Mode.BEFORE);
			EntityManagerFactory unit = application.bean(EntityManagerFactory.class);
			unit.runInTransaction((entities) -> entities.persist(new Account(1)));
			assertThat(application.guard().membership("products", 1)).isEqualTo(Membership.ABSENT);
			unit.runInTransaction((entities) -> entities.find(Account.class, 1).name = "new");
			assertThat(application.guard().membership("products", 1)).isEqualTo(Membership.MAYBE);
			Awaitility.await("it is added").until(() -> application.lookUpInStore("1") == Membership.MAYBE);
			assertThat(filter.standing().doubted()).as("such rows are expected").isFalse();
			assertThat(filter.active()).as("and load nothing again").isEqualTo(loaded);
		}
	}

	@Test
	void triggerThatIsMadeLaterIsFoundByTheNextLoad() {
		try (GuardApplication application = start()) {
			GenerationalFilter filter = application.products().filter();
			assertThat(filter.standing().required().unseenWriters()).isNull();
			assertThat(filter.standing().verification()).isEqualTo(Mode.BEHIND);
			this.postgres.execute("create view shown as select id from kept");
			application.guard().rebuild("products").join();
			assertThat(filter.standing().required().unseenWriters()).isEqualTo("the view shown");
			assertThat(filter.standing().verification()).isEqualTo(Mode.BEFORE);
		}
	}

	private GuardApplication start() {
		redis.reset();
		List<String> properties = new ArrayList<>(
				List.of(this.postgres.and(GuardApplication.HIBERNATE, "spring.jpa.hibernate.ddl-auto=none")));
		Shop.filter(properties, "products", Kept.class.getName(), null);
		properties.replaceAll((property) -> property.replace("verification.mode=off", "verification.mode=behind"));
		properties.add("bloom-guard.filters.products.verification.rate=1000");
		return Shop
			.awaitReady(GuardApplication.start(redis, List.of(Entities.class), properties.toArray(String[]::new)));
	}

	@Configuration(proxyBeanMethods = false)
	static class Entities {

		@Bean
		PersistenceManagedTypes managedTypes() {
			return PersistenceManagedTypes.of(Kept.class.getName(), Account.class.getName());
		}

	}

	/** Its rows are inserted by a trigger. */
	@Entity
	@Table(name = "kept")
	static class Kept {

		@Id
		int id;

		protected Kept() {
		}

	}

	/** Its rows are kept when they change. */
	@Entity
	@Table(name = "account")
	static class Account {

		@Id
		int id;

		String name;

		protected Account() {
		}

		Account(int id) {
			this.id = id;
		}

	}

}
