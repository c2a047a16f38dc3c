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

package io.github.bloomguard.backend.redis.module;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.Membership;
import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.endpoint.BloomGuardEndpoint;
import io.github.bloomguard.endpoint.FilterReport;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.instance.MirrorStatus;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for applications that keep a filter in one of the server's own.
 */
@ParameterizedClass
@ValueSource(strings = { "redis-bloom", "redis-cuckoo" })
@Tag("slow")
class ModuleFilterTests {

	private static @Nullable TestRedis redis;

	private final String type;

	ModuleFilterTests(String type) {
		this.type = type;
	}

	@AfterAll
	static void stop() {
		if (redis != null) {
			redis.close();
		}
	}

	@BeforeEach
	void startOrFlush() {
		if (redis == null) {
			redis = TestRedis.withModule();
		}
		redis.command("FLUSHALL");
	}

	private GuardApplication start(KeySource source, String... properties) {
		return GuardApplication.start(redis, List.of(source, Products.class),
				Stream
					.concat(Stream.of("bloom-guard.filters.products.type=" + this.type,
							"bloom-guard.filters.products.false-positive-probability=0.01",
							"management.endpoints.web.exposure.include=*"), Stream.of(properties))
					.toArray(String[]::new));
	}

	@Test
	void filterIsLoadedAskedAddedToAndRebuilt() {
		try (GuardApplication application = start(new Keys("products", 100))) {
			application.awaitReady();
			Products products = application.bean(Products.class);
			assertThat(products.find(7)).isEqualTo("product 7");
			int calls = products.calls();
			assertThat(products.find(-1)).isNull();
			assertThat(products.calls()).as("calls").isEqualTo(calls);
			products.create(4711);
			assertThat(products.find(4711)).isEqualTo("product 4711");
			BloomGuard guard = application.guard();
			String first = report(application).generation();
			guard.rebuild("products").join();
			assertThat(report(application).generation()).isNotEqualTo(first);
			assertThat(guard.membership("products", 4711)).isEqualTo(Membership.MAYBE);
			assertThat(guard.membership("products", 7)).isEqualTo(Membership.MAYBE);
			assertThat(guard.membership("products", -1)).isEqualTo(Membership.ABSENT);
			Awaitility.await().until(() -> redis.keys("*:bits:*").size() == 1);
		}
	}

	@Test
	void endpointTellsWhatTheServerKnows() {
		try (GuardApplication application = start(new Keys("products", 1000),
				"bloom-guard.filters.products.mirror.enabled=true")) {
			application.awaitReady();
			FilterReport report = report(application);
			assertThat(report.type()).isEqualTo(this.type);
			assertThat(report.estimatedInsertions()).isBetween(980L, 1020L);
			assertThat(report.estimatedFalsePositiveProbability()).isBetween(0.0, 0.01);
			assertThat(report.fillRatio()).isBetween(0.01, 0.5);
			assertThat(report.sizeInBytes()).isBetween(10_000L, 100_000L);
			Awaitility.await().until(() -> report(application).mirror().problem() != null);
			assertThat(report(application).mirror().problem()).contains("can't be copied");
			assertThat(report(application).mirror().state()).isEqualTo(MirrorStatus.State.OFF);
		}
	}

	@Test
	void filterThatWasEvictedIsBuiltAgainAndNotByAnAdd() {
		try (GuardApplication application = start(new Keys("products", 100))) {
			application.awaitReady();
			String lost = redis.keys("*:bits:*").get(0);
			redis.command("DEL", lost);
			application.guard().add("products", 4711);
			assertThat(redis.command("EXISTS", lost)).isEqualTo("0");
			Awaitility.await().until(() -> application.guard().membership("products", -1) == Membership.ABSENT);
			assertThat(application.guard().membership("products", 7)).isEqualTo(Membership.MAYBE);
			assertThat(application.guard().membership("products", 4711)).as("its transaction may be open")
				.isEqualTo(Membership.MAYBE);
		}
	}

	@Test
	void sourceWithMoreKeysThanThereIsRoomForIsLoadedIntoALargerFilter() {
		try (GuardApplication application = start(new Keys("products", 20_000),
				"bloom-guard.filters.products.expected-insertions=1000")) {
			application.awaitReady();
			Generation active = application.products().filter().active();
			assertThat(active.specification().expectedInsertions()).isEqualTo(30_000);
			assertThat(application.guard().membership("products", 19_999)).isEqualTo(Membership.MAYBE);
			assertThat(absentKeys(application)).contains(Membership.ABSENT);
		}
	}

	@Test
	void filterThatGetsCrowdedIsReplacedByALargerOneBeforeItIsFull() {
		try (GuardApplication application = start(new Keys("products", 2000),
				"bloom-guard.filters.products.expected-insertions=2000",
				"bloom-guard.filters.products.rebuild.max-false-positive-factor=0")) {
			application.awaitReady();
			int added = 10_000;
			while (!application.products().filter().occupancy().join().crowded()) {
				application.guard().add("products", Stream.iterate(added, (key) -> key + 1).limit(100).toArray());
				Awaitility.await().until(() -> absentKeys(application).contains(Membership.ABSENT));
				added += 100;
			}
			int last = added - 1;
			Awaitility.await().until(() -> {
				assertThat(absentKeys(application)).anyMatch((answer) -> answer != Membership.MAYBE);
				assertThat(application.guard().membership("products", last)).isNotEqualTo(Membership.ABSENT);
				Generation active = application.products().filter().active();
				return active != null && active.specification().expectedInsertions() > 3000;
			});
		}
	}

	@Test
	void addThatFindsNoRoomSucceedsAndTheFilterIsBuiltAgain() {
		try (GuardApplication application = start(new Keys("products", 1000),
				"bloom-guard.filters.products.expected-insertions=1000")) {
			application.awaitReady();
			Object[] keys = Stream.iterate(10_000, (key) -> key + 1).limit(10_000).toArray();
			application.guard().add("products", keys);
			for (Object key : keys) {
				assertThat(application.guard().membership("products", key)).isNotEqualTo(Membership.ABSENT);
			}
			Awaitility.await().until(() -> absentKeys(application).contains(Membership.ABSENT));
			for (Object key : keys) {
				assertThat(application.guard().membership("products", key)).isNotEqualTo(Membership.ABSENT);
			}
		}
	}

	@Test
	void anotherTypeIsAnotherFilterThatGivesUpWhatItCanNotWrite() {
		try (GuardApplication application = start(new Keys("products", 100));
				GuardApplication other = GuardApplication.start(redis, new Keys("products", 100))) {
			application.awaitReady();
			other.awaitReady();
			other.guard().add("products", 4711);
			assertThat(application.guard().membership("products", 4711)).isNotEqualTo(Membership.ABSENT);
			application.guard().add("products", 4712);
			assertThat(other.guard().membership("products", 4712)).isNotEqualTo(Membership.ABSENT);
			application.awaitReady();
			other.awaitReady();
			for (int key : List.of(4711, 4712)) {
				assertThat(application.guard().membership("products", key)).isNotEqualTo(Membership.ABSENT);
				assertThat(other.guard().membership("products", key)).isNotEqualTo(Membership.ABSENT);
			}
		}
	}

	/**
	 * Return the answers for a few absent keys, any of which may be a false positive.
	 */
	private static List<Membership> absentKeys(GuardApplication application) {
		return IntStream.rangeClosed(1, 5).mapToObj((key) -> application.guard().membership("products", -key)).toList();
	}

	private static FilterReport report(GuardApplication application) {
		assertThat(application.products().filter().state()).isEqualTo(FilterState.READY);
		return application.bean(BloomGuardEndpoint.class).filter("products");
	}

	/**
	 * Reads and writes.
	 */
	static class Products {

		private final AtomicInteger calls = new AtomicInteger();

		@BloomGuarded("products")
		public @Nullable String find(long id) {
			this.calls.incrementAndGet();
			return (id >= 0) ? "product " + id : null;
		}

		@BloomAdd(filter = "products", key = "#id")
		public void create(long id) {
		}

		int calls() {
			return this.calls.get();
		}

	}

}
