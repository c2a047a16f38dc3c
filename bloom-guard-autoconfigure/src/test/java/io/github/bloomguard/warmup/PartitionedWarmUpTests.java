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

package io.github.bloomguard.warmup;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.KeySource;
import io.github.bloomguard.Membership;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import io.github.bloomguard.warmup.WarmUpProgress.Status;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for warm-ups that read several parts of the keys at the same time, and such that
 * read the keys several times.
 */
@Tag("slow")
class PartitionedWarmUpTests {

	private static final String WARM_UP = "bloom-guard.filters.products.warm-up.";

	private static final String LARGE = "bloom-guard.filters.products.expected-insertions=1000000";

	private static final String ONE_PERCENT = "bloom-guard.filters.products.false-positive-probability=0.01";

	@AutoClose
	private final TestRedis redis = TestRedis.start().reset();

	@Test
	void keysOfAllRangesAreLoadedAlsoTheOutermostOnes() {
		TestPostgres postgres = TestPostgres.create("create table product (id bigint primary key)",
				"insert into product select generate_series(-2000, 5000)",
				"insert into product values (9223372036854775807), (-9223372036854775808), (1000000000000)");
		try (GuardApplication application = GuardApplication.start(this.redis, new Keys("products", 0),
				postgres.and(WARM_UP + "query=select id from product where id between :from and :to",
						WARM_UP + "partitions=3", "bloom-guard.filters.products.expected-insertions=20000"))) {
			application.awaitReady();
			assertThat(LongStream.concat(LongStream.of(Long.MIN_VALUE, Long.MAX_VALUE, 1_000_000_000_000L),
					LongStream.rangeClosed(-2000, 5000)))
				.allMatch((id) -> application.guard().membership("products", id) == Membership.MAYBE);
			assertThat(LongStream.range(10_000, 12_000)
				.filter((id) -> application.guard().membership("products", id) == Membership.ABSENT)
				.count()).isGreaterThan(1900);
			Awaitility.await().until(() -> progress(application).status() == Status.COMPLETED);
			assertThat(progress(application).loaded()).isBetween(7004L, 7006L);
		}
	}

	@Test
	void partsAreReadAtTheSameTimeEachByAThreadOfItsOwn() {
		CyclicBarrier together = new CyclicBarrier(3);
		Parts parts = new Parts(3, (part) -> LongStream.range(part * 1000, part * 1000 + 1000).peek((id) -> {
			if (id % 1000 == 700) {
				await(together);
			}
		}));
		try (GuardApplication application = GuardApplication.start(this.redis, parts).awaitReady()) {
			assertThat(LongStream.range(0, 3000))
				.allMatch((id) -> application.guard().membership("products", id) == Membership.MAYBE);
			assertThat(parts.closed).hasValue(3);
		}
	}

	@Test
	void failureOfOnePartStopsTheOthersAndAllIsReadAgain() {
		AtomicBoolean broken = new AtomicBoolean(true);
		Parts parts = new Parts(2, (part) -> !broken.get() ? LongStream.range(0, 100)
				: (part == 0) ? LongStream.iterate(0, (id) -> (id + 1) % 1000) : LongStream.of(1).peek((id) -> {
					throw new IllegalStateException("broken part");
				}));
		try (GuardApplication application = GuardApplication.start(this.redis, parts)) {
			Awaitility.await().until(() -> progress(application).status() == Status.FAILED);
			assertThat(progress(application).error()).contains("broken part");
			assertThat(parts.closed.get()).isEqualTo(parts.opened.get());
			broken.set(false);
			application.awaitReady();
			assertThat(application.guard().membership("products", 99)).isEqualTo(Membership.MAYBE);
		}
	}

	@Test
	void closingTheApplicationStopsAllPartsAndClosesTheirStreams() {
		CountDownLatch forEver = new CountDownLatch(1);
		Parts parts = new Parts(2, (part) -> (part == 0) ? LongStream.iterate(0, (id) -> (id + 1) % 1000)
				: LongStream.of(1, 2).peek((id) -> await(forEver)));
		GuardApplication application = GuardApplication.start(this.redis, parts);
		Awaitility.await().until(() -> progress(application).loaded() > 1000 && parts.opened.get() == 2);
		long start = System.nanoTime();
		application.close();
		assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(10));
		Awaitility.await().until(() -> parts.closed.get() == 2);
	}

	@Test
	void keyThatCanNotBeConvertedIsToldAndStopsTheReader() {
		AtomicInteger closed = new AtomicInteger();
		Parts parts = new Parts(1, (part) -> LongStream.range(0, 1_000_000_000)) {

			@Override
			public Stream<?> keys() {
				return Stream.generate(Object::new).onClose(closed::incrementAndGet);
			}

			@Override
			public List<Supplier<Stream<?>>> partitions() {
				return List.of(this::keys);
			}

		};
		try (GuardApplication application = GuardApplication.start(this.redis, parts)) {
			Awaitility.await().until(() -> progress(application).status() == Status.FAILED && closed.get() > 0);
			assertThat(progress(application).error()).contains("java.lang.Object");
		}
	}

	@Test
	void filterThatIsLargerThanTheMemoryIsLoadedInPassesOfWhichEachReadsAllKeys() {
		Keys keys = new Keys("products", 30_000);
		try (GuardApplication application = GuardApplication.start(this.redis, keys, LARGE, ONE_PERCENT,
				WARM_UP + "max-memory=1MB")) {
			application.awaitReady();
			Awaitility.await().until(() -> progress(application).status() == Status.COMPLETED);
			assertThat(keys.reads()).isEqualTo(5);
			assertThat(progress(application).loaded()).isEqualTo(30_000);
			assertThat(LongStream.rangeClosed(1, 30_000))
				.allMatch((id) -> application.guard().membership("products", id) == Membership.MAYBE);
		}
	}

	@Test
	void keyThatIsAddedBetweenTwoPassesIsThere() {
		Keys keys = new Keys("products", 1000);
		List<Long> added = new ArrayList<>();
		try (GuardApplication application = GuardApplication.start(this.redis, keys, LARGE, ONE_PERCENT,
				WARM_UP + "max-memory=1MB")) {
			application.awaitReady();
			keys.beforeRead(() -> {
				long id = 100_000 + added.size();
				added.add(id);
				application.guard().add("products", id);
			});
			application.guard().rebuild("products").orTimeout(30, TimeUnit.SECONDS).join();
			assertThat(added).hasSize(5)
				.allMatch((id) -> application.guard().membership("products", id) == Membership.MAYBE);
		}
	}

	@Test
	void buildFailsWhenItsBitsAreLostBetweenTwoPassesAndTheNextOneSucceeds() {
		Keys keys = new Keys("products", 1000);
		keys.beforeRead(() -> {
			if (keys.reads() == 3) {
				this.redis.keys("*:bits:*").forEach((name) -> this.redis.command("DEL", name));
			}
		});
		try (GuardApplication application = GuardApplication.start(this.redis, keys, LARGE, ONE_PERCENT,
				WARM_UP + "max-memory=1MB")) {
			Awaitility.await().until(() -> progress(application).status() == Status.FAILED);
			assertThat(progress(application).error()).contains("is gone");
			application.awaitReady();
			assertThat(keys.reads()).isEqualTo(8);
			assertThat(LongStream.rangeClosed(1, 1000))
				.allMatch((id) -> application.guard().membership("products", id) == Membership.MAYBE);
			assertThat(this.redis.keys("*:bits:*")).hasSize(2);
		}
	}

	private static WarmUpProgress progress(GuardApplication application) {
		return application.products().warmUp().progress();
	}

	private static void await(CyclicBarrier barrier) {
		try {
			barrier.await(20, TimeUnit.SECONDS);
		}
		catch (InterruptedException | BrokenBarrierException | TimeoutException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	private static class Parts implements KeySource {

		private final int count;

		private final Part keys;

		private final AtomicInteger opened = new AtomicInteger();

		private final AtomicInteger closed = new AtomicInteger();

		Parts(int count, Part keys) {
			this.count = count;
			this.keys = keys;
		}

		@Override
		public String filter() {
			return "products";
		}

		@Override
		public Stream<?> keys() {
			throw new UnsupportedOperationException("Read by parts");
		}

		@Override
		public List<Supplier<Stream<?>>> partitions() {
			List<Supplier<Stream<?>>> partitions = new ArrayList<>();
			for (int i = 0; i < this.count; i++) {
				int part = i;
				partitions.add(() -> {
					this.opened.incrementAndGet();
					return this.keys.keys(part).boxed().onClose(this.closed::incrementAndGet);
				});
			}
			return partitions;
		}

	}

	@FunctionalInterface
	private interface Part {

		LongStream keys(int part);

	}

}
