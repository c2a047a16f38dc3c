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

package io.github.bloomguard.cache;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import org.springframework.cache.CacheManager;
import org.springframework.data.redis.cache.RedisCacheConfiguration;
import org.springframework.data.redis.cache.RedisCacheManager;
import org.springframework.data.redis.cache.RedisCacheManager.RedisCacheManagerBuilder;
import org.springframework.data.redis.connection.lettuce.LettuceConnectionFactory;
import org.springframework.transaction.support.DefaultTransactionStatus;
import org.springframework.transaction.support.TransactionTemplate;

import io.github.bloomguard.testsupport.TestRedis;
import io.github.bloomguard.testsupport.TestTransactions;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Reads and updates rows in four instances, two of which take part in transactions, while
 * entries expire and Redis loses keys, stalls and is late: what is read after an update
 * has returned is never older than that update.
 */
@Tag("proof")
class StaleSetChaosTests {

	private static final Log logger = LogFactory.getLog(StaleSetChaosTests.class);

	private static final int ROWS = 20;

	private final Duration duration = Duration.parse("PT" + System.getProperty("chaos.duration", "10s"));

	private final AtomicIntegerArray rows = new AtomicIntegerArray(ROWS);

	private final AtomicIntegerArray returned = new AtomicIntegerArray(ROWS);

	private final AtomicLong reads = new AtomicLong();

	private final AtomicLong updates = new AtomicLong();

	private final AtomicLong older = new AtomicLong();

	private final TestRedis redis = TestRedis.start();

	private final LettuceConnectionFactory connections = new LettuceConnectionFactory("127.0.0.1", this.redis.port());

	@BeforeEach
	void connect() {
		this.connections.afterPropertiesSet();
		this.connections.start();
	}

	@AfterEach
	void disconnect() {
		this.connections.destroy();
		this.redis.close();
	}

	@Test
	void guardedCachesServeNothingOlder() throws Exception {
		List<GuardedInstance> instances = IntStream.range(0, 4)
			.mapToObj((i) -> GuardedInstance.impatient(this.connections, Duration.ofMillis(20),
					(configuration) -> configuration.entryTtl(Duration.ofMillis(500)),
					(i < 2) ? RedisCacheManagerBuilder::transactionAware : UnaryOperator.identity()))
			.toList();
		try {
			run(instances.stream().<CacheManager>map((instance) -> instance.manager).toList());
		}
		finally {
			instances.forEach(GuardedInstance::close);
		}
		assertThat(this.older).hasValue(0);
		assertThat(instances.stream().mapToInt((instance) -> instance.listener.storedLate.get()).sum()).isPositive();
	}

	@Test
	void plainCachesServeOlderValues() throws Exception {
		run(IntStream.range(0, 4).<CacheManager>mapToObj((i) -> {
			RedisCacheManager manager = RedisCacheManager.builder(this.connections)
				.cacheDefaults(RedisCacheConfiguration.defaultCacheConfig().entryTtl(Duration.ofMillis(500)))
				.build();
			manager.afterPropertiesSet();
			return manager;
		}).toList());
		assertThat(this.older).hasPositiveValue();
	}

	private void run(List<CacheManager> managers) throws Exception {
		long end = System.nanoTime() + this.duration.toNanos();
		List<Callable<Void>> callers = new ArrayList<>();
		for (CacheManager manager : managers) {
			CachedProducts products = CachedProducts.of(manager, this::load);
			callers.add(until(end, () -> read(products)));
			callers.add(until(end, () -> read(products)));
			callers.add(until(end, () -> update(products)));
		}
		callers.add(until(end, this::lose));
		callers.add(until(end, this::stall));
		ExecutorService threads = Executors.newFixedThreadPool(callers.size());
		try {
			for (Future<Void> caller : threads.invokeAll(callers)) {
				caller.get();
			}
		}
		finally {
			threads.shutdownNow();
		}
		logger.warn(this.reads + " reads, " + this.updates + " updates, " + this.older + " reads of older values");
	}

	private int load(int id) {
		int row = this.rows.get(id);
		pause(Duration.ofMillis(3));
		return row;
	}

	private void read(CachedProducts products) {
		int id = ThreadLocalRandom.current().nextInt(ROWS);
		int before = this.returned.get(id);
		int value = switch (ThreadLocalRandom.current().nextInt(6)) {
			case 0 -> products.find(id);
			case 1 -> transaction(() -> {
			}).execute((status) -> products.find(id));
			case 2, 3 -> products.findOnce(id);
			case 4 -> products.findLater(id).join();
			default -> products.findOnceMono(id).block();
		};
		this.reads.incrementAndGet();
		if (value < before) {
			this.older.incrementAndGet();
		}
	}

	private void update(CachedProducts products) {
		int id = ThreadLocalRandom.current().nextInt(ROWS);
		AtomicInteger version = new AtomicInteger();
		Runnable commit = () -> version.set(this.rows.incrementAndGet(id));
		switch (ThreadLocalRandom.current().nextInt(10)) {
			case 0 -> products.updateAll(commit);
			case 1, 2 -> transaction(commit).executeWithoutResult((status) -> products.update(id, () -> {
			}));
			case 3 -> transaction(commit).executeWithoutResult((status) -> products.updateAll(() -> {
			}));
			case 4 -> products.evictAndUpdate(id, commit);
			default -> products.update(id, commit);
		}
		this.returned.accumulateAndGet(id, version.get(), Math::max);
		this.updates.incrementAndGet();
		pause(Duration.ofMillis(2));
	}

	/**
	 * Lose keys, as Redis does when it is short of memory or flushed.
	 */
	private void lose() {
		pause(Duration.ofMillis(20));
		int id = ThreadLocalRandom.current().nextInt(ROWS);
		switch (ThreadLocalRandom.current().nextInt(20)) {
			case 0 -> this.redis.command("FLUSHALL");
			case 1, 2 -> this.redis.command("DEL", "bloom-guard:cache:loads:{products}");
			case 3, 4, 5 -> this.redis.command("DEL", "products::" + id);
			case 6 -> this.redis.command("DEL", "bloom-guard:cache:epoch");
			default -> this.redis.command("DEL", "bloom-guard:cache:load:{products::" + id + "}",
					"bloom-guard:cache:lock:{products::" + id + "}");
		}
	}

	/**
	 * Let Redis answer nothing for less and for more than a call waits.
	 */
	private void stall() {
		pause(Duration.ofMillis(400));
		this.redis.freeze();
		pause(Duration.ofMillis(60));
		this.redis.thaw();
	}

	private static TransactionTemplate transaction(Runnable commit) {
		return new TransactionTemplate(new TestTransactions() {

			@Override
			protected void doCommit(DefaultTransactionStatus status) {
				pause(Duration.ofMillis(2));
				commit.run();
			}

		});
	}

	private static Callable<Void> until(long end, Runnable step) {
		return () -> {
			while (System.nanoTime() < end) {
				step.run();
			}
			return null;
		};
	}

	private static void pause(Duration longest) {
		LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(longest.toNanos()));
	}

	/**
	 * Transactions that commit one row.
	 */

}
