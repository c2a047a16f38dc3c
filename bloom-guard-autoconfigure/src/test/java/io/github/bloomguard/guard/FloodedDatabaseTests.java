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

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.statistics.FilterStatistics.Outcome;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.datasource.DelegatingDataSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Counts the statements that reach the database while instances are flooded.
 */
@Tag("slow")
class FloodedDatabaseTests {

	private static final String FILTER = "bloom-guard.filters.products.";

	private static final int INSTANCES = 4;

	private static final int CALLERS = 64;

	private static final int RATE = 10;

	private static final Duration FLOOD = Duration.ofSeconds(6);

	private static final TestPostgres postgres = TestPostgres.create("create table product (id bigint primary key)",
			"insert into product select generate_series(1, 10000)");

	@AutoClose
	private final TestRedis redis = TestRedis.start().reset();

	/**
	 * A false positive costs two: the call, and the look-up before its absence is
	 * remembered.
	 */
	@ParameterizedTest
	@ValueSource(strings = { "behind", "before" })
	void databaseSeesAsManyStatementsAsTheRateSaysAndTwoForEachFalsePositive(String mode) throws Exception {
		AtomicLong statements = new AtomicLong();
		List<GuardApplication> instances = new ArrayList<>();
		try {
			for (int i = 0; i < INSTANCES; i++) {
				instances
					.add(GuardApplication
						.start(this.redis, List.of(new CountingDataSource(statements), Products.class),
								FILTER + "warm-up.query=select id from product", FILTER + "mirror.enabled=true",
								FILTER + "verification.mode=" + mode, FILTER + "verification.rate=" + RATE)
						.awaitReady());
			}
			long falsePositivesBefore = falsePositives(instances);
			long statementsBefore = statements.get();
			long begun = System.nanoTime();
			long calls = flood(instances, begun + FLOOD.toNanos());
			double seconds = (System.nanoTime() - begun) / 1e9;
			long seen = statements.get() - statementsBefore;
			long falsePositives = falsePositives(instances) - falsePositivesBefore;
			System.out.printf("%s: %,d calls in %.1f s, %,d statements, %,d false positives%n", mode, calls, seconds,
					seen, falsePositives);
			assertThat(calls).isGreaterThan(100L * INSTANCES * RATE);
			assertThat(seen).isBetween((long) INSTANCES * RATE,
					Math.round(INSTANCES * RATE * (seconds + 1)) + 2 * falsePositives);
		}
		finally {
			instances.forEach(GuardApplication::close);
		}
	}

	private static long falsePositives(List<GuardApplication> instances) {
		return instances.stream()
			.mapToLong((instance) -> instance.products().statistics().count(Outcome.FALSE_POSITIVE))
			.sum();
	}

	private static long flood(List<GuardApplication> instances, long until) throws Exception {
		ExecutorService threads = Executors.newFixedThreadPool(CALLERS);
		List<Future<Long>> callers = new ArrayList<>();
		for (int i = 0; i < CALLERS; i++) {
			Products products = instances.get(i % INSTANCES).bean(Products.class);
			callers.add(threads.submit(() -> {
				long calls = 0;
				for (; System.nanoTime() < until; calls++) {
					assertThat(products.find(ThreadLocalRandom.current().nextLong(1_000_000, Long.MAX_VALUE))).isNull();
				}
				return calls;
			}));
		}
		threads.shutdown();
		long calls = 0;
		for (Future<Long> caller : callers) {
			calls += caller.get(1, TimeUnit.MINUTES);
		}
		return calls;
	}

	/**
	 * Counts what is prepared or created on its connections.
	 */
	static final class CountingDataSource extends DelegatingDataSource {

		private final AtomicLong statements;

		CountingDataSource(AtomicLong statements) {
			super(postgres.dataSource());
			this.statements = statements;
		}

		@Override
		public Connection getConnection() throws SQLException {
			Connection connection = super.getConnection();
			return (Connection) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] { Connection.class },
					(proxy, method, arguments) -> {
						if (method.getName().equals("prepareStatement") || method.getName().equals("createStatement")) {
							this.statements.incrementAndGet();
						}
						try {
							return method.invoke(connection, arguments);
						}
						catch (InvocationTargetException ex) {
							throw ex.getCause();
						}
					});
		}

	}

	static class Products {

		private final JdbcTemplate database;

		Products(CountingDataSource dataSource) {
			this.database = new JdbcTemplate(dataSource);
		}

		@BloomGuarded("products")
		public @Nullable Long find(long id) {
			return this.database.queryForList("select id from product where id = ?", Long.class, id)
				.stream()
				.findFirst()
				.orElse(null);
		}

	}

}
