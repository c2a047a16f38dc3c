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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.Membership;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestRedis;
import io.github.bloomguard.testsupport.ZeroedBits;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.jdbc.core.JdbcTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Plants holes through which rows are hidden, and which nothing else mends. Each must
 * heal: a row is called absent once at most, or never if answers are verified before they
 * are given, and ten seconds later no other row is.
 */
@Tag("slow")
class PlantedHolesTests {

	private static final String FILTER = "bloom-guard.filters.products.";

	private static final Duration HEALED = Duration.ofSeconds(10);

	private static final Map<String, Hole> HOLES = new LinkedHashMap<>();

	static {
		HOLES.put("a writer that says nothing", Hole.inTheTable());
		HOLES.put("a writer that says nothing, and a source that can't look up a key",
				Hole.inTheTable().withoutLookUp());
		HOLES.put("a source that leaves rows out", Hole.inTheSource());
		HOLES.put("bits that were zeroed with a valid seal", Hole.inTheBits());
		HOLES.put("a writer that says nothing to caches", Hole.inTheTable().behindACache());
		HOLES.put("a writer that says nothing to caches, and a source that can't look up a key",
				Hole.inTheTable().withoutLookUp().behindACache());
		HOLES.put("an empty sentinel", Hole.inASentinel());
	}

	@AutoClose
	private final TestRedis redis = TestRedis.start().reset();

	static Stream<Arguments> holes() {
		return HOLES.entrySet()
			.stream()
			.flatMap((hole) -> Stream.of("behind", "before")
				.map((mode) -> arguments(hole.getKey(), mode, hole.getValue())));
	}

	@ParameterizedTest(name = "{0}, {1}")
	@MethodSource("holes")
	void rowIsHiddenOnceAtMostAndNoOtherTenSecondsLater(String name, String mode, Hole hole) {
		try (GuardApplication application = hole.start(this.redis, mode)) {
			Products products = application.bean(Products.class);
			List<Long> rows = hole.plant(this.redis, application, products);
			Generation loaded = application.products().filter().active();
			int wrong = 0;
			for (long row : rows.subList(0, 2)) {
				long before = falseNegatives(application);
				if (hole.ask(products, row) == null) {
					wrong++;
					Awaitility.await("row " + row + " is healed")
						.atMost(HEALED)
						.until(() -> falseNegatives(application) > before);
				}
				assertThat(hole.ask(products, row)).as("second answer").isEqualTo("product " + row);
			}
			assertThat(wrong).isBetween(0, mode.equals("behind") ? 2 : 0);
			Awaitility.await("the keys are loaded again")
				.atMost(HEALED)
				.until(() -> !loaded.equals(application.products().filter().active())
						&& application.products().filter().state() == FilterState.READY);
			for (long row : rows.subList(2, rows.size())) {
				assertThat(hole.ask(products, row)).as("another row").isEqualTo("product " + row);
			}
			assertThat(falseNegatives(application)).isPositive();
		}
	}

	/**
	 * Nothing is loaded again, because that would bring nothing.
	 */
	@Test
	void rowThatTheQueryLeavesOutIsFoundByItsCall() {
		try (GuardApplication application = GuardApplication
			.start(this.redis, List.of(Products.class), "spring.datasource.url=jdbc:h2:mem:" + System.nanoTime(),
					FILTER + "warm-up.query=select id from product where id < 1000",
					FILTER + "verification.mode=before", "bloom-guard.timeout=2s")
			.awaitReady()) {
			Products products = application.bean(Products.class);
			List<Long> rows = Hole.inTheTable().plant(this.redis, application, products);
			assertThat(products.find(rows.get(0))).isNotNull();
			Awaitility.await("the key is added")
				.atMost(HEALED)
				.until(() -> application.filter("products").preview(rows.get(0)).membership() == Membership.MAYBE);
			assertThat(rows).allMatch((row) -> products.find(row) != null);
		}
	}

	private static long falseNegatives(GuardApplication application) {
		return application.products().statistics().unacknowledgedFalseNegatives();
	}

	private record Hole(String kind, boolean looksUp, boolean cached) {

		static Hole inTheTable() {
			return new Hole("table", true, false);
		}

		static Hole inTheSource() {
			return new Hole("source", false, false);
		}

		static Hole inTheBits() {
			return new Hole("bits", true, false);
		}

		static Hole inASentinel() {
			return new Hole("sentinel", true, false);
		}

		Hole withoutLookUp() {
			return new Hole(this.kind, false, this.cached);
		}

		Hole behindACache() {
			return new Hole(this.kind, this.looksUp, true);
		}

		GuardApplication start(TestRedis redis, String mode) {
			List<String> properties = new ArrayList<>(List.of("spring.datasource.url=jdbc:h2:mem:" + System.nanoTime(),
					FILTER + "verification.mode=" + mode, "bloom-guard.timeout=2s"));
			if (this.cached) {
				properties.add(FILTER + "caches=products");
			}
			if (this.looksUp) {
				properties.add(FILTER + "warm-up.query=select id from product");
			}
			if (this.kind.equals("sentinel")) {
				properties.add(FILTER + "false-positive-probability=0.5");
				properties.add(FILTER + "expected-insertions=100");
			}
			List<Object> beans = new ArrayList<>(List.of(Products.class, Caching.class));
			if (!this.looksUp) {
				beans.add(this.kind.equals("source") ? SourceThatLeavesRowsOut.class : SourceWithoutLookUp.class);
			}
			return GuardApplication.start(redis, beans, properties.toArray(String[]::new)).awaitReady();
		}

		/**
		 * Hide rows, and return their ids.
		 */
		List<Long> plant(TestRedis redis, GuardApplication application, Products products) {
			List<Long> rows = hidden(application.filter("products"));
			if (this.cached) {
				rows.forEach((row) -> assertThat(ask(products, row)).isNull());
			}
			switch (this.kind) {
				case "table", "source" -> rows.forEach(products::insert);
				case "bits" -> ZeroedBits.in(redis);
				case "sentinel" -> {
					rows.forEach((row) -> remember(redis, products, row));
					rows.forEach(products::insert);
				}
				default -> throw new IllegalStateException(this.kind);
			}
			return rows;
		}

		@Nullable String ask(Products products, long row) {
			return this.cached ? products.findCached(row) : products.find(row);
		}

		private List<Long> hidden(GuardedFilter filter) {
			if (this.kind.equals("bits")) {
				return List.of(1L, 2L, 3L, 4L, 5L);
			}
			Membership wanted = this.kind.equals("sentinel") ? Membership.MAYBE : Membership.ABSENT;
			return LongStream.iterate(5000, (id) -> id + 1)
				.boxed()
				.filter((id) -> filter.preview(id).membership() == wanted)
				.limit(5)
				.toList();
		}

		private void remember(TestRedis redis, Products products, long row) {
			Awaitility.await("sentinel of " + row).until(() -> {
				assertThat(ask(products, row)).isNull();
				return !redis.keys("*" + row + "*").isEmpty();
			});
		}

	}

	@EnableCaching
	static class Caching {

	}

	static class SourceWithoutLookUp implements KeySource {

		private final JdbcTemplate database;

		SourceWithoutLookUp(JdbcTemplate database) {
			this.database = database;
			Products.create(database);
		}

		@Override
		public String filter() {
			return "products";
		}

		@Override
		public Stream<?> keys() {
			return this.database.queryForList("select id from product", Long.class).stream();
		}

	}

	static class SourceThatLeavesRowsOut extends SourceWithoutLookUp {

		SourceThatLeavesRowsOut(JdbcTemplate database) {
			super(database);
		}

		@Override
		public Stream<?> keys() {
			return super.keys().filter((id) -> (Long) id < 1000);
		}

	}

	static class Products {

		private final JdbcTemplate database;

		Products(JdbcTemplate database) {
			this.database = database;
			create(database);
		}

		static void create(JdbcTemplate database) {
			database.execute("create table if not exists product (id bigint primary key)");
			database.execute("merge into product select x from system_range(1, 100)");
		}

		public void insert(long id) {
			this.database.update("merge into product values (?)", id);
		}

		@BloomGuarded("products")
		@Cacheable("products")
		public @Nullable String findCached(long id) {
			return load(id);
		}

		@BloomGuarded("products")
		public @Nullable String find(long id) {
			return load(id);
		}

		private @Nullable String load(long id) {
			return this.database.queryForList("select id from product where id = ?", Long.class, id)
				.stream()
				.map((found) -> "product " + found)
				.findFirst()
				.orElse(null);
		}

	}

}
