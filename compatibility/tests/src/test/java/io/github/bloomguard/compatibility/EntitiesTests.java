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

package io.github.bloomguard.compatibility;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.Membership;
import io.github.bloomguard.compatibility.entities.Book;
import io.github.bloomguard.compatibility.entities.EntitiesApplication;
import io.github.bloomguard.compatibility.entities.Part;
import io.github.bloomguard.compatibility.entities.Parts;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.EntityManagerFactory;
import org.awaitility.Awaitility;
import org.hibernate.SessionFactory;
import org.hibernate.StatelessSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests that filters of entities know what is inserted through Hibernate and Spring Data
 * JDBC.
 */
class EntitiesTests {

	private static final long UNSEEN = 4711;

	private static TestRedis redis;

	private static ConfigurableApplicationContext context;

	private static BloomGuard guard;

	private static Parts parts;

	@BeforeAll
	static void start() {
		redis = TestRedis.start();
		context = EntitiesApplication.application(redis.properties()).run();
		guard = context.getBean(BloomGuard.class);
		parts = context.getBean(Parts.class);
		Awaitility.await()
			.until(() -> guard.membership("parts", UNSEEN) == Membership.ABSENT
					&& guard.membership("books", "none") == Membership.ABSENT);
	}

	@AfterAll
	static void stop() {
		context.close();
		redis.close();
	}

	@Test
	void aggregateThatARepositorySavesIsFound() {
		Part saved = parts.save(new Part(null, "Bolt"));
		assertThat(parts.findById(saved.id())).contains(saved);
	}

	@Test
	void aggregateThatATemplateInsertsIsFound() {
		Part inserted = context.getBean(JdbcAggregateTemplate.class).insert(new Part(null, "Nut"));
		assertThat(parts.findById(inserted.id())).contains(inserted);
	}

	@Test
	void aggregateThatNobodySavedIsNotLookedFor() {
		context.getBean(JdbcTemplate.class).update("insert into part (id, name) values (?, 'Washer')", UNSEEN);
		assertThat(parts.findById(UNSEEN)).isEmpty();
	}

	@Test
	void rowThatAStatelessSessionInsertsIsKnown() {
		SessionFactory sessions = context.getBean(EntityManagerFactory.class).unwrap(SessionFactory.class);
		try (StatelessSession session = sessions.openStatelessSession()) {
			session.beginTransaction();
			session.insert(new Book("one"));
			session.getTransaction().commit();
		}
		assertThat(guard.membership("books", "one")).isEqualTo(Membership.MAYBE);
		assertThat(guard.membership("books", "two")).isEqualTo(Membership.ABSENT);
	}

}
