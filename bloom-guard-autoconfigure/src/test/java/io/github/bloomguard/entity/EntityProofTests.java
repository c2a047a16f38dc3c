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

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.entity.Shop.Receipt;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.EntityManagerFactory;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PostInsertEvent;
import org.hibernate.event.spi.PostInsertEventListener;
import org.hibernate.persister.entity.EntityPersister;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The proof that a committed row of an entity is never called absent, and that the proof
 * finds a listener that is wrong.
 */
@Tag("proof")
class EntityProofTests {

	private static final int INSERTS = Integer.getInteger("entity.inserts", 20_000);

	@AutoClose
	private final TestRedis redis = TestRedis.start();

	private final TestPostgres postgres = TestPostgres.create();

	@BeforeEach
	void createTables() {
		Shop.start(this.redis, this.postgres, List.of()).close();
		this.redis.command("FLUSHALL");
	}

	@Test
	void committedRowIsNeverAbsent() throws Exception {
		try (GuardApplication one = start(); GuardApplication other = start()) {
			EntityTraffic traffic = new EntityTraffic(List.of(Shop.awaitReady(one), Shop.awaitReady(other)),
					List.of("products", "orders", "books", "stocks"), INSERTS)
				.run();
			assertThat(traffic.violations()).isEmpty();
			assertThat(traffic.found()).isPositive();
			assertThat(traffic.absent()).isPositive();
		}
	}

	@Test
	void listenerThatAddsAfterTheCommitIsFoundOut() throws Exception {
		try (GuardApplication one = start(); GuardApplication other = start()) {
			for (GuardApplication instance : List.of(one, other)) {
				instance.bean(EntityManagerFactory.class)
					.unwrap(SessionFactoryImplementor.class)
					.getEventListenerRegistry()
					.appendListeners(EventType.POST_INSERT, new LateAdds(instance.guard()));
			}
			EntityTraffic traffic = new EntityTraffic(List.of(Shop.awaitReady(one), Shop.awaitReady(other)),
					List.of("receipts"), 10_000)
				.run();
			assertThat(traffic.violations()).isNotEmpty();
		}
	}

	/**
	 * Start an application whose writers are as patient as the machine is slow: a key
	 * that is not added in time fails the transaction.
	 */
	private GuardApplication start() {
		return Shop.start(this.redis, this.postgres, List.of(), "bloom-guard.add-timeout=10s",
				"spring.data.redis.timeout=10s");
	}

	/**
	 * Does what {@link HibernateWrites} does, but after the commit.
	 */
	private record LateAdds(BloomGuard guard) implements PostInsertEventListener {

		@Override
		public void onPostInsert(PostInsertEvent event) {
			if (event.getEntity() instanceof Receipt) {
				event.getSession()
					.getTransactionCompletionCallbacks()
					.registerCallback((committed, session) -> this.guard.add("receipts", event.getId()));
			}
		}

		@Override
		public boolean requiresPostCommitHandling(EntityPersister persister) {
			return false;
		}

	}

}
