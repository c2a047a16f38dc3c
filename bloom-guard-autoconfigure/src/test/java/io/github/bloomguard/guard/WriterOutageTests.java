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

package io.github.bloomguard.guard;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.Membership;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for writers that hold the few connections of a pool while Redis hangs.
 */
@Tag("slow")
class WriterOutageTests {

	private static final int WRITERS = 12;

	private static final int READERS = 4;

	/**
	 * The default of {@code add-timeout}.
	 */
	private static final Duration ADD_TIMEOUT = Duration.ofSeconds(1);

	private static final Duration MARGIN = Duration.ofSeconds(1);

	private final AtomicBoolean stopped = new AtomicBoolean();

	private final AtomicLong id = new AtomicLong(1000);

	private final Queue<Long> committed = new ConcurrentLinkedQueue<>();

	private final AtomicInteger failed = new AtomicInteger();

	private final AtomicInteger reads = new AtomicInteger();

	private final AtomicLong longestRead = new AtomicLong();

	@Test
	void readsDoNotWaitForConnectionsOfWritersWhileRedisHangs() throws Exception {
		TestPostgres postgres = TestPostgres.create("create table product (id bigint primary key)",
				"create table country (code text)", "insert into country values ('fr')",
				"insert into product select * from generate_series(1, 100)");
		ExecutorService threads = Executors.newCachedThreadPool();
		try (TestRedis redis = TestRedis.start();
				GuardApplication application = GuardApplication.start(redis, List.of(),
						postgres.and("bloom-guard.filters.products.warm-up.query=select id from product",
								"bloom-guard.timeout=100ms"))) {
			application.awaitReady();
			for (int i = 0; i < WRITERS; i++) {
				threads.execute(() -> write(application));
			}
			for (int i = 0; i < READERS; i++) {
				threads.execute(() -> read(application.bean(JdbcTemplate.class)));
			}
			Awaitility.await().until(() -> this.committed.size() > 100 && this.reads.get() > 100);
			assertThat(this.failed).hasValue(0);
			redis.freeze();
			this.longestRead.set(0);
			Awaitility.await().until(() -> this.failed.get() > 10 * WRITERS);
			redis.thaw();
			int before = this.committed.size();
			Awaitility.await().until(() -> this.committed.size() > before + 100);
			this.stopped.set(true);
			threads.shutdown();
			assertThat(threads.awaitTermination(1, TimeUnit.MINUTES)).isTrue();
			assertThat(Duration.ofNanos(this.longestRead.get())).isLessThan(ADD_TIMEOUT.plus(MARGIN));
			List<Long> hidden = new ArrayList<>(this.committed);
			hidden.removeIf((key) -> application.guard().membership("products", key) != Membership.ABSENT);
			assertThat(hidden).isEmpty();
		}
		finally {
			this.stopped.set(true);
			threads.shutdown();
		}
	}

	private void write(GuardApplication application) {
		JdbcTemplate template = application.bean(JdbcTemplate.class);
		BloomGuard guard = application.guard();
		TransactionTemplate transactions = new TransactionTemplate(application.bean(PlatformTransactionManager.class));
		while (!this.stopped.get()) {
			long key = this.id.incrementAndGet();
			try {
				transactions.executeWithoutResult((status) -> {
					template.update("insert into product values (?)", key);
					guard.add("products", key);
				});
				this.committed.add(key);
			}
			catch (KeyNotAddedException ex) {
				this.failed.incrementAndGet();
			}
		}
	}

	private void read(JdbcTemplate template) {
		while (!this.stopped.get()) {
			long begun = System.nanoTime();
			template.queryForList("select code from country");
			this.longestRead.accumulateAndGet(System.nanoTime() - begun, Math::max);
			this.reads.incrementAndGet();
		}
	}

}
