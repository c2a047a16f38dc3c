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
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.Membership;
import io.github.bloomguard.entity.Shop.Book;
import io.github.bloomguard.entity.Shop.Order;
import io.github.bloomguard.entity.Shop.Product;
import io.github.bloomguard.entity.Shop.Receipt;
import io.github.bloomguard.entity.Shop.Stock;
import io.github.bloomguard.entity.Shop.StockId;
import io.github.bloomguard.testsupport.GuardApplication;
import jakarta.persistence.EntityManager;
import jakarta.persistence.EntityManagerFactory;

import org.springframework.core.NestedRuntimeException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.orm.jpa.SharedEntityManagerCreator;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * Writers that insert entities in transactions, and readers that look what the database
 * shows already and ask a filter of another instance for it.
 */
final class EntityTraffic {

	private static final int THREADS = 8;

	private static final AtomicLong numbers = new AtomicLong();

	/**
	 * What is inserted, by the filter that must know it.
	 */
	private static final Map<String, Kind> KINDS = Map.of("products",
			new Kind(() -> new Product("p"), "select id from product order by id desc limit 20"), "orders",
			new Kind(Order::new, "select id from orders order by id desc limit 20"), "receipts",
			new Kind(Receipt::new, "select id from receipt order by id desc limit 20"), "books",
			new Kind(() -> new Book("978-%09d".formatted(numbers.incrementAndGet())),
					"select isbn from book order by isbn desc limit 20"),
			"stocks", new Kind(() -> new Stock(new StockId(numbers.incrementAndGet(), "left")),
					"select warehouse, shelf from stock order by warehouse desc limit 20"));

	private final List<GuardApplication> instances;

	private final List<String> filters;

	private final AtomicInteger remaining;

	private final Queue<String> violations = new ConcurrentLinkedQueue<>();

	private final LongAdder found = new LongAdder();

	private final LongAdder absent = new LongAdder();

	/**
	 * Create traffic.
	 * @param instances the instances, which share a database and a Redis
	 * @param filters the filters that must know what is inserted
	 * @param inserts how many rows are inserted
	 */
	EntityTraffic(List<GuardApplication> instances, List<String> filters, int inserts) {
		this.instances = instances;
		this.filters = filters;
		this.remaining = new AtomicInteger(inserts);
	}

	/**
	 * Let all threads run until everything is inserted, or a row was called absent.
	 */
	EntityTraffic run() throws InterruptedException, ExecutionException {
		ExecutorService executor = Executors.newFixedThreadPool(2 * THREADS);
		try {
			List<Future<?>> threads = new ArrayList<>();
			for (int i = 0; i < THREADS; i++) {
				GuardApplication writing = this.instances.get(i % this.instances.size());
				GuardApplication reading = this.instances.get((i + 1) % this.instances.size());
				threads.add(executor.submit(() -> write(writing)));
				threads.add(executor.submit(() -> read(reading)));
			}
			for (Future<?> thread : threads) {
				thread.get();
			}
			return this;
		}
		finally {
			executor.shutdownNow();
		}
	}

	/** Rows that were there when they were asked for, and were called absent. */
	List<String> violations() {
		return List.copyOf(this.violations);
	}

	/** How many rows were asked for and known. */
	long found() {
		return this.found.sum();
	}

	/** How many keys that no row has were called absent. */
	long absent() {
		return this.absent.sum();
	}

	private void write(GuardApplication instance) {
		EntityManager entities = SharedEntityManagerCreator
			.createSharedEntityManager(instance.bean(EntityManagerFactory.class));
		TransactionTemplate transactions = new TransactionTemplate(instance.bean(PlatformTransactionManager.class));
		ThreadLocalRandom random = ThreadLocalRandom.current();
		int size = random.nextInt(1, 40);
		while (this.remaining.getAndAdd(-size) > 0) {
			int count = size;
			try {
				transactions.executeWithoutResult((status) -> {
					for (int i = 0; i < count; i++) {
						entities.persist(KINDS.get(any(this.filters)).entity().get());
					}
					if (random.nextInt(20) == 0) {
						status.setRollbackOnly();
					}
				});
			}
			catch (NestedRuntimeException ex) {
				// rolled back, too: the machine may stand still
				if (!ex.contains(KeyNotAddedException.class)) {
					throw ex;
				}
			}
			size = random.nextInt(1, 40);
		}
	}

	private void read(GuardApplication instance) {
		BloomGuard guard = instance.bean(BloomGuard.class);
		JdbcTemplate database = instance.bean(JdbcTemplate.class);
		ThreadLocalRandom random = ThreadLocalRandom.current();
		while (this.remaining.get() > 0) {
			String filter = any(this.filters);
			for (Map<String, Object> row : database.queryForList(KINDS.get(filter).newest())) {
				Object key = (row.size() == 1) ? row.values().iterator().next() : List.copyOf(row.values());
				Membership membership = guard.membership(filter, key);
				if (membership == Membership.ABSENT) {
					this.violations.add(filter + " " + key);
					this.remaining.set(0);
				}
				else if (membership == Membership.MAYBE) {
					this.found.increment();
				}
			}
			if (guard.membership(filter, "none " + random.nextLong()) == Membership.ABSENT) {
				this.absent.increment();
			}
			if (random.nextInt(200) == 0) {
				guard.rebuild(filter);
			}
		}
	}

	private static <T> T any(List<T> all) {
		return all.get(ThreadLocalRandom.current().nextInt(all.size()));
	}

	/**
	 * One kind of rows.
	 *
	 * @param entity makes a new one
	 * @param newest reads the keys of the newest ones
	 */
	private record Kind(Supplier<Object> entity, String newest) {
	}

}
