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
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.Membership;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.CollectionTable;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Embeddable;
import jakarta.persistence.Embedded;
import jakarta.persistence.Entity;
import jakarta.persistence.EntityManager;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for filters whose keys are attributes inside of embedded ones.
 */
@Tag("slow")
class NestedKeyTests {

	@AutoClose
	private static final TestRedis redis = TestRedis.start().reset("products", "mails");

	private static final TestPostgres postgres = TestPostgres.create();

	@AutoClose
	private static GuardApplication application;

	private static EntityManager entities;

	private static TransactionTemplate transactions;

	@BeforeAll
	static void start() {
		postgres.execute("create table member (id bigint primary key, user_name text, mail text)",
				"create table member_tags (member_id bigint, tags text)",
				"insert into member values (1, 'old', 'old@example.org'), (2, null, null)");
		List<String> properties = new ArrayList<>(List.of(postgres.and(GuardApplication.HIBERNATE,
				"spring.jpa.open-in-view=false", "bloom-guard.filters.products.warm-up.partitions=2")));
		Shop.filter(properties, "products", Member.class.getName(), "profile.userName");
		Shop.filter(properties, "mails", Member.class.getName(), "profile.contact.mail");
		application = Shop
			.awaitReady(GuardApplication.start(redis, List.of(Entities.class), properties.toArray(String[]::new)));
		entities = application.bean(EntityManager.class);
		transactions = new TransactionTemplate(application.bean(PlatformTransactionManager.class));
	}

	@Test
	void keysInsideOfAnEmbeddedAttributeAreLoaded() {
		assertKnown("products", "old");
		assertKnown("mails", "old@example.org");
		assertThat(application.guard().membership("products", "none")).isEqualTo(Membership.ABSENT);
	}

	@Test
	void keysOfNewRowsAreAddedAndThoseOfChangedOnesToo() {
		insert(new Member(10, new Profile("ada", "ada@example.org")));
		assertKnown("products", "ada");
		assertKnown("mails", "ada@example.org");
		transactions.executeWithoutResult((status) -> entities.find(Member.class, 10L).profile.userName = "byron");
		assertKnown("products", "byron");
		transactions.executeWithoutResult(
				(status) -> entities.find(Member.class, 10L).profile = new Profile("ada2", "ada2@example.org"));
		assertKnown("products", "ada2");
		assertKnown("mails", "ada2@example.org");
	}

	@Test
	void embeddedAttributeThatIsNullHasNoKey() {
		insert(new Member(11, null));
		insert(new Member(12, new Profile(null, "only@example.org")));
		assertKnown("mails", "only@example.org");
		assertThat(application.bean(ManagedFilters.class).find("products").filter().state())
			.isEqualTo(FilterState.READY);
	}

	@Test
	void rowsOfAnotherEntityOfTheSameTableAreKnown() {
		insert(new Account(20, new Login("eve")));
		assertKnown("products", "eve");
	}

	private static void insert(Object entity) {
		transactions.executeWithoutResult((status) -> entities.persist(entity));
	}

	private static void assertKnown(String filter, String key) {
		assertThat(application.guard().membership(filter, key)).isEqualTo(Membership.MAYBE);
	}

	@Configuration(proxyBeanMethods = false)
	static class Entities {

		@Bean
		PersistenceManagedTypes managedTypes() {
			return PersistenceManagedTypes
				.of(Stream.of(Member.class, Profile.class, Contact.class, Account.class, Login.class)
					.map(Class::getName)
					.toArray(String[]::new));
		}

	}

	@Entity(name = "Member")
	@Table(name = "member")
	static class Member {

		@Id
		long id;

		@Embedded
		@Nullable Profile profile;

		protected Member() {
		}

		Member(long id, @Nullable Profile profile) {
			this.id = id;
			this.profile = profile;
		}

	}

	@Embeddable
	static class Profile {

		@Nullable String userName;

		@Embedded
		Contact contact;

		@ElementCollection
		@CollectionTable(name = "member_tags")
		Set<String> tags = new HashSet<>();

		protected Profile() {
		}

		Profile(@Nullable String userName, String mail) {
			this.userName = userName;
			this.contact = new Contact(mail);
		}

	}

	@Embeddable
	record Contact(String mail) {
	}

	/** Writes the names of members. */
	@Entity
	@Table(name = "member")
	static class Account {

		@Id
		long id;

		@Embedded
		Login login;

		protected Account() {
		}

		Account(long id, Login login) {
			this.id = id;
			this.login = login;
		}

	}

	@Embeddable
	record Login(String userName) {
	}

}
