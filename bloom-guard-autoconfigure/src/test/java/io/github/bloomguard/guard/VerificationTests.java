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
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.Membership;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.endpoint.BloomGuardEndpoint;
import io.github.bloomguard.endpoint.FilterReport;
import io.github.bloomguard.health.BloomGuardHealthIndicator;
import io.github.bloomguard.instance.Probation;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.RecordingListener;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import org.springframework.boot.actuate.endpoint.SecurityContext;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.Status;
import org.springframework.cache.annotation.Cacheable;
import org.springframework.cache.annotation.EnableCaching;
import org.springframework.cache.concurrent.ConcurrentMapCacheManager;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code verification}, with sources that can't look up a key.
 */
class VerificationTests {

	private static final String VERIFICATION = "bloom-guard.filters.products.verification.";

	private static final RecordingListener listener = new RecordingListener();

	private static final ConcurrentMapCacheManager caches = new ConcurrentMapCacheManager();

	@AutoClose
	private static final TestRedis redis = TestRedis.start().reset();

	private static GuardApplication application;

	private static BloomGuard guard;

	private static Products products;

	private static long candidate = 1_000_000;

	@BeforeAll
	static void start() {
		application = start(VERIFICATION + "mode=behind", VERIFICATION + "rate=1000").awaitReady();
		guard = application.guard();
		products = application.bean(Products.class);
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@BeforeEach
	void forget() {
		awaitCall(absent(), products::find);
		listener.clear();
		products.threads().clear();
	}

	@AfterEach
	void acknowledge() {
		products.goOn();
		FilterStatistics statistics = application.products().statistics();
		Probation probation = application.products().filter().probation();
		Awaitility.await("what was found is in the record")
			.until(() -> statistics.unacknowledgedFalseNegatives() == 0 || probation.proof().doubt().at() > 0);
		application.bean(BloomGuardEndpoint.class).change(SecurityContext.NONE, "products", null, "acknowledge");
		Awaitility.await().until(() -> !probation.isDoubted());
	}

	@Test
	void rowWrittenBehindTheGuardsBackIsAddedAndShownUntilItIsAcknowledged() {
		assertThat(health().getStatus()).isEqualTo(Status.UP);
		long id = absent();
		products.insert(id);
		assertThat(products.find(id)).isNull();
		Awaitility.await().until(() -> guard.mightContain("products", id));
		assertThat(products.find(id)).isEqualTo("product " + id);
		awaitFalseNegative();
		assertThat(listener.events()).contains("products added 1");
		assertThat(health().getStatus()).isEqualTo(Status.UNKNOWN);
		assertThat(health().getDetails()).containsEntry("falseNegatives", Map.of("products", 1L))
			.containsKey("beforeUntil");
		BloomGuardEndpoint endpoint = application.bean(BloomGuardEndpoint.class);
		FilterReport report = endpoint.filter("products");
		assertThat(report.falseNegatives()).isOne();
		assertThat(report.verification().lookedUp()).isPositive();
		assertThat(report.verification().wrong()).isPositive();
		Awaitility.await().until(() -> endpoint.filter("products").verification().lastWrongAt() != null);
		FilterReport.Verification verification = endpoint.filter("products").verification();
		assertThat(verification.beforeUntil()).isEqualTo(verification.lastWrongAt().plus(Duration.ofMinutes(10)));
		long counted = report.requests().falseNegative();
		assertThat(counted).isPositive();
		report = endpoint.change(SecurityContext.NONE, "products", null, "acknowledge");
		assertThat(report.falseNegatives()).isZero();
		assertThat(report.requests().falseNegative()).isEqualTo(counted);
		Awaitility.await().until(() -> health().getStatus() == Status.UP);
		assertThat(endpoint.filter("products").verification().beforeUntil()).isNull();
		assertThat(health().getDetails()).doesNotContainKey("falseNegatives");
		assertThat(endpoint.change(SecurityContext.NONE, "unknown", null, "acknowledge")).isNull();
	}

	@Test
	void compositeKeyIsRepairedAsOneKey() {
		long id = absent();
		products.insert(id);
		assertThat(products.findComposite(id, "shop")).isNull();
		Awaitility.await().until(() -> guard.mightContain("products", List.of(id, "shop")));
		assertThat(products.findComposite(id, "shop")).isEqualTo("product " + id);
		awaitFalseNegative();
	}

	static Stream<Named<BiConsumer<Products, Long>>> calls() {
		return Stream.of(call("Optional", (products, id) -> assertThat(products.findOptional(id)).isEmpty()),
				call("future", (products, id) -> assertThat(products.findLater(id).join()).isNull()),
				call("Mono", (products, id) -> assertThat(products.findMono(id).block()).isNull()),
				call("Flux", (products, id) -> assertThat(products.findFlux(id).collectList().block()).isEmpty()),
				call("one of two filters", (products, id) -> assertThat(products.findTwice(id, 1)).isNull()),
				call("loader", (products, id) -> assertThat(products.get(guard, id)).isNull()),
				call("many keys", (products, id) -> assertThat(products.findAll(List.of(2L, id))).isEmpty()),
				call("many keys later",
						(products, id) -> assertThat(products.findAllLater(Set.of(id)).join()).isEmpty()));
	}

	private static Named<BiConsumer<Products, Long>> call(String name, BiConsumer<Products, Long> call) {
		return Named.of(name, call);
	}

	@ParameterizedTest
	@MethodSource("calls")
	void everyKindOfMethodIsVerified(BiConsumer<Products, Long> call) {
		long missing = absent();
		call.accept(products, missing);
		awaitCalls(missing, 1);
		long present = absent();
		products.insert(present);
		call.accept(products, present);
		Awaitility.await().until(() -> guard.mightContain("products", present));
		// it can't tell while the record changes, in which the wrong answer is noted
		Awaitility.await()
			.until(() -> application.filter("products").preview(missing).membership() == Membership.ABSENT);
		awaitFalseNegative();
	}

	static Stream<Named<BiPredicate<Products, Long>>> questions() {
		return Stream.of(question("value", (products, id) -> products.find(id) != null),
				question("future", (products, id) -> products.findLater(id).join() != null),
				question("Mono", (products, id) -> products.findMono(id).block() != null),
				question("loader", (products, id) -> products.get(guard, id) != null),
				question("mightContain", (products, id) -> guard.mightContain("products", id)),
				question("membership", (products, id) -> guard.membership("products", id) != Membership.ABSENT),
				question("many keys", (products, id) -> products.findAll(List.of(2L, id)).size() == 1));
	}

	private static Named<BiPredicate<Products, Long>> question(String name, BiPredicate<Products, Long> question) {
		return Named.of(name, question);
	}

	@ParameterizedTest
	@MethodSource("questions")
	void whoAsksForAKeyThatIsLookedUpIsToldWhatIsFound(BiPredicate<Products, Long> question) {
		long id = absent();
		products.insert(id);
		products.holdCalls();
		assertThat(products.find(id)).isNull();
		awaitCalls(id, 1);
		CompletableFuture<Boolean> others = CompletableFuture.supplyAsync(() -> question.test(products, id));
		Awaitility.await().during(Duration.ofMillis(100)).until(() -> !others.isDone());
		products.goOn();
		assertThat(others.join()).isTrue();
	}

	@Test
	void whoAsksForAKeyThatIsLookedUpWaitsNoLongerThanForTheFilterAndTheMethodIsNotCalled() {
		try (GuardApplication other = start(VERIFICATION + "mode=behind", VERIFICATION + "rate=1000",
				"bloom-guard.timeout=100ms")
			.awaitReady()) {
			Products others = other.bean(Products.class);
			long id = absent();
			others.holdCalls();
			assertThat(others.find(id)).isNull();
			Awaitility.await().until(() -> others.calls(id) == 1);
			assertThat(others.find(id)).isNull();
			assertThat(others.findAll(List.of(id))).isEmpty();
			assertThat(others.findLater(id).join()).isNull();
			assertThat(others.calls(id)).isOne();
			others.goOn();
		}
	}

	@Test
	void rowThatCameWhileItsKeyWasLookedUpInVainIsFound() {
		RowsThatAreLookedUp source = new RowsThatAreLookedUp();
		try (GuardApplication other = start(source, VERIFICATION + "mode=behind", "bloom-guard.timeout=2s")
			.awaitReady()) {
			Products others = other.bean(Products.class);
			long id = absent();
			source.held = new CountDownLatch(1);
			assertThat(others.find(id)).isNull();
			Awaitility.await().until(() -> source.held.getCount() == 1 && source.looked.contains(id));
			products.insert(id);
			CompletableFuture<@Nullable String> late = others.findLater(id);
			source.held.countDown();
			assertThat(late.join()).isNull();
			Awaitility.await().until(() -> other.filter("products").preview(id).membership() == Membership.MAYBE);
		}
	}

	@Test
	void methodIsNotCalledOnTheThreadOfTheCallerAndGoesThroughTheCache() {
		long id = absent();
		products.insert(id);
		assertThat(products.findCached(id)).isNull();
		awaitCalls(id, 1);
		assertThat(products.threads()).doesNotContain(Thread.currentThread());
		Awaitility.await().until(() -> guard.mightContain("products", id));
		assertThat(caches.getCache("products").get(id, String.class)).isEqualTo("product " + id);
		assertThat(products.findCached(id)).isEqualTo("product " + id);
		assertThat(products.calls(id)).isOne();
	}

	@Test
	void whatComesWhileEnoughAreMadeIsDropped() {
		products.holdCalls();
		List<Long> ids = Stream.generate(VerificationTests::absent).limit(100).toList();
		Awaitility.await().until(() -> {
			ids.forEach((id) -> assertThat(products.find(id)).isNull());
			return products.calls(ids.get(LookUps.MAX_CALLS - 1)) > 0;
		});
		products.goOn();
		long later = absent();
		Awaitility.await().until(() -> products.find(later) == null && products.calls(later) > 0);
		assertThat(ids.stream().filter((id) -> products.calls(id) > 0))
			.containsExactlyElementsOf(ids.subList(0, LookUps.MAX_CALLS));
	}

	@Test
	void keyThatWasAddedMeanwhileIsNoFalseNegative() {
		long id = absent();
		products.holdCalls();
		assertThat(products.find(id)).isNull();
		awaitCalls(id, 1);
		products.insert(id);
		guard.add("products", id);
		products.goOn();
		long next = absent();
		products.insert(next);
		assertThat(products.find(next)).isNull();
		Awaitility.await().until(() -> guard.mightContain("products", next));
		awaitFalseNegative();
	}

	@Test
	void failedLookUpIsNotTheLast() {
		long failing = absent();
		products.failFor(failing);
		assertThat(products.find(failing)).isNull();
		awaitCalls(failing, 1);
		awaitCall(failing, (id) -> assertThat(products.findLater(id).join()).isNull());
		awaitCall(failing, (id) -> assertThat(products.findMono(id).block()).isNull());
		long id = absent();
		assertThat(products.find(id)).isNull();
		awaitCalls(id, 1);
		assertThat(application.products().statistics().unacknowledgedFalseNegatives()).isZero();
	}

	@Test
	void existingKeysAreNotVerified() {
		products.insert(1);
		assertThat(products.find(1)).isEqualTo("product 1");
		long id = absent();
		products.find(id);
		awaitCalls(id, 1);
		assertThat(products.calls(1)).isOne();
	}

	@ParameterizedTest
	@ValueSource(strings = { "mode=off", "rate=0" })
	void nothingIsVerifiedWhereThatIsSwitchedOff(String property) {
		try (GuardApplication other = start(VERIFICATION + "mode=behind", VERIFICATION + property).awaitReady()) {
			Products others = other.bean(Products.class);
			for (int i = 0; i < 100; i++) {
				long id = absent();
				others.insert(id);
				assertThat(others.find(id)).isNull();
				assertThat(others.findLater(id).join()).isNull();
				assertThat(others.findMono(id).block()).isNull();
			}
			assertThat(others.threads()).isEmpty();
			assertThat(other.filter("products").isVerified(other.filter("products").check(absent()).await())).isFalse();
		}
	}

	@Test
	void callsGoThroughWithinTheRateWhereAnswersAreVerifiedBeforeTheyAreGiven() {
		try (GuardApplication other = start(VERIFICATION + "mode=before", VERIFICATION + "rate=5").awaitReady()) {
			Products others = other.bean(Products.class);
			List<Long> ids = Stream.generate(VerificationTests::absent).limit(50).toList();
			assertThat(ids).allMatch((id) -> others.find(id) == null);
			assertThat(others.threads()).hasSizeBetween(5, 25).containsOnly(Thread.currentThread());
			others.threads().clear();
			Awaitility.await().until(() -> others.find(absent()) == null && !others.threads().isEmpty());
		}
	}

	@Test
	void everyKindOfMethodFindsTheRowWhereAnswersAreVerifiedBeforeTheyAreGiven() {
		try (GuardApplication other = start(VERIFICATION + "mode=before", VERIFICATION + "rate=1000").awaitReady()) {
			Products others = other.bean(Products.class);
			assertThat(others.find(hidden())).isNotNull();
			assertThat(others.findOptional(hidden())).isPresent();
			assertThat(others.findLater(hidden()).join()).isNotNull();
			assertThat(others.findMono(hidden()).block()).isNotNull();
			assertThat(others.findFlux(hidden()).collectList().block()).hasSize(1);
			assertThat(others.findTwice(hidden(), 1)).isNotNull();
			assertThat(others.get(other.guard(), hidden())).isNotNull();
			assertThat(others.findAll(List.of(hidden(), absent(), hidden()))).hasSize(2);
			assertThat(others.findAllLater(Set.of(hidden(), hidden())).join()).hasSize(2);
			long asked = hidden();
			assertThat(other.guard().mightContain("products", asked)).isTrue();
			assertThat(other.guard().membership("products", asked)).isNotEqualTo(Membership.ABSENT);
		}
	}

	private static long hidden() {
		long id = absent();
		products.insert(id);
		return id;
	}

	@Test
	void floodIsLookedUpAtTheSourceAsOftenAsTheRateSaysAndNoMethodIsCalled() {
		RowsThatAreLookedUp source = new RowsThatAreLookedUp();
		try (GuardApplication other = start(source, VERIFICATION + "mode=behind").awaitReady()) {
			Products others = other.bean(Products.class);
			long begun = System.nanoTime();
			Awaitility.await().pollDelay(Duration.ZERO).pollInterval(Duration.ofMillis(1)).until(() -> {
				assertThat(others.find(absent())).isNull();
				return System.nanoTime() - begun > Duration.ofSeconds(2).toNanos() && source.asked.get() >= 10;
			});
			long seconds = Duration.ofNanos(System.nanoTime() - begun).toSeconds() + 1;
			assertThat(source.asked.get()).isBetween(10, (int) (10 * (seconds + 1)));
			assertThat(others.threads()).isEmpty();
			long id = hidden();
			Awaitility.await().until(() -> others.find(id) != null);
			assertThat(other.guard().membership("products", absent())).isEqualTo(Membership.ABSENT);
		}
	}

	@Test
	void sourceIsAskedBeforeAnythingIsRememberedAsNotFound() {
		RowsThatAreLookedUp source = new RowsThatAreLookedUp();
		try (GuardApplication other = start(source, "bloom-guard.filters.products.false-positive-probability=0.5",
				VERIFICATION + "mode=behind")
			.awaitReady()) {
			GuardedFilter filter = other.filter("products").scopedTo("test");
			long absent = passing(filter);
			Awaitility.await().until(() -> {
				filter.loaded(absent, filter.check(absent).await(), true);
				return filter.check(absent).await().answered();
			});
			long hidden = passing(filter);
			products.insert(hidden);
			int asked = source.asked.get();
			filter.loaded(hidden, filter.check(hidden).await(), true);
			Awaitility.await().until(() -> source.asked.get() > asked);
			Awaitility.await()
				.during(Duration.ofMillis(300))
				.untilAsserted(() -> assertThat(filter.check(hidden).await().answered()).isFalse());
		}
	}

	private static long passing(GuardedFilter filter) {
		do {
			candidate++;
		}
		while (filter.preview(candidate).membership() != Membership.MAYBE);
		return candidate;
	}

	@Test
	void shadowModeReportsAndAddsWithoutLookUps() {
		try (GuardApplication other = start(VERIFICATION + "mode=behind", "bloom-guard.filters.products.mode=shadow")
			.awaitLoaded()) {
			Products others = other.bean(Products.class);
			long id = absent();
			others.insert(id);
			assertThat(others.find(id)).isEqualTo("product " + id);
			Awaitility.await().until(() -> guard.mightContain("products", id));
			assertThat(others.threads()).containsExactly(Thread.currentThread());
			assertThat(other.products().statistics().unacknowledgedFalseNegatives()).isOne();
		}
	}

	@Test
	void allInstancesVerifyBeforeTheyAnswerWhenOneHasFoundAWrongAnswer() {
		try (GuardApplication other = start(VERIFICATION + "mode=behind").awaitReady()) {
			Products others = other.bean(Products.class);
			assertThat(other.products().filter().probation().isDoubted()).isFalse();
			long id = absent();
			products.insert(id);
			assertThat(products.find(id)).isNull();
			Awaitility.await().until(() -> other.products().filter().probation().isDoubted());
			long next = absent();
			others.insert(next);
			assertThat(others.find(next)).isEqualTo("product " + next);
			assertThat(other.bean(BloomGuardHealthIndicator.class).health(true).getDetails())
				.containsKey("beforeUntil");
		}
	}

	private static GuardApplication start(String... properties) {
		return start(new Rows(), properties);
	}

	private static GuardApplication start(KeySource source, String... properties) {
		List<String> all = new ArrayList<>(
				List.of("management.endpoints.web.exposure.include=*", "management.endpoints.jmx.exposure.include=*",
						"spring.jmx.enabled=true", "bloom-guard.filters.orders.expected-insertions=100",
						"bloom-guard.filters.orders.verification.required-calls=0",
						"bloom-guard.filters.orders.rebuild.settle=0s",
						"bloom-guard.filters.orders.false-positive-probability=0.000000001",
						"bloom-guard.filters.orders.rebuild.longest-transaction=100ms", "bloom-guard.timeout=2s"));
		all.addAll(List.of(properties));
		GuardApplication started = GuardApplication.start(redis,
				List.of(source, new Keys("orders", 100), listener, caches, Products.class, Caching.class),
				all.toArray(String[]::new));
		Awaitility.await().until(() -> started.guard().membership("orders", 1) == Membership.MAYBE);
		return started;
	}

	private static Health health() {
		return application.bean(BloomGuardHealthIndicator.class).health(true);
	}

	private static long absent() {
		while (application.filter("products").preview(++candidate).membership() != Membership.ABSENT) {
			assertThat(candidate).isLessThan(2_000_000);
		}
		return candidate;
	}

	/**
	 * Ask until the key is looked up, which it is not while it still is.
	 */
	private static void awaitCall(long id, Consumer<Long> question) {
		long before = products.calls(id);
		Awaitility.await().until(() -> {
			question.accept(id);
			return products.calls(id) > before;
		});
	}

	/**
	 * Listeners are told on another thread.
	 */
	private static void awaitFalseNegative() {
		Awaitility.await()
			.untilAsserted(() -> assertThat(listener.events()).containsOnlyOnce("products false negative"));
	}

	private static void awaitCalls(long id, int calls) {
		Awaitility.await().until(() -> products.calls(id) == calls);
	}

	@EnableCaching
	static class Caching {

	}

	/**
	 * All rows there are, of all instances.
	 */
	static class Rows implements KeySource {

		private static final Set<Long> inserted = ConcurrentHashMap.newKeySet();

		@Override
		public String filter() {
			return "products";
		}

		@Override
		public Stream<?> keys() {
			return Stream.concat(LongStream.rangeClosed(1, 1000).boxed(), inserted.stream());
		}

	}

	static class RowsThatAreLookedUp extends Rows {

		private final AtomicInteger asked = new AtomicInteger();

		private final Set<Long> looked = ConcurrentHashMap.newKeySet();

		private volatile CountDownLatch held = new CountDownLatch(0);

		@Override
		public Optional<Boolean> contains(List<? extends @Nullable Object> key) {
			this.asked.incrementAndGet();
			long id = Long.parseLong(String.valueOf(key.get(0)));
			boolean found = id <= 1000 || Rows.inserted.contains(id);
			this.looked.add(id);
			try {
				this.held.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			return Optional.of(found);
		}

	}

	static class Products {

		private final Set<Long> rows = Rows.inserted;

		private final Set<Long> failing = ConcurrentHashMap.newKeySet();

		private final List<Long> calls = new CopyOnWriteArrayList<>();

		private final List<Thread> threads = new CopyOnWriteArrayList<>();

		private volatile CountDownLatch held = new CountDownLatch(0);

		public void insert(long id) {
			this.rows.add(id);
		}

		public void failFor(long id) {
			this.failing.add(id);
		}

		public void holdCalls() {
			this.held = new CountDownLatch(1);
		}

		public void goOn() {
			this.held.countDown();
		}

		public long calls(long id) {
			return this.calls.stream().filter((called) -> called == id).count();
		}

		public List<Thread> threads() {
			return this.threads;
		}

		private @Nullable String load(long id) {
			this.calls.add(id);
			this.threads.add(Thread.currentThread());
			try {
				this.held.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
			if (this.failing.contains(id)) {
				throw new IllegalStateException("database");
			}
			return this.rows.contains(id) ? "product " + id : null;
		}

		@BloomGuarded("products")
		public @Nullable String find(long id) {
			return load(id);
		}

		@BloomGuarded("products")
		@Cacheable("products")
		public @Nullable String findCached(long id) {
			return load(id);
		}

		@BloomGuarded(filter = "products", key = "{#id, #shop}")
		public @Nullable String findComposite(long id, String shop) {
			return load(id);
		}

		@BloomGuarded("products")
		public Optional<String> findOptional(long id) {
			return Optional.ofNullable(load(id));
		}

		@BloomGuarded("products")
		public CompletableFuture<@Nullable String> findLater(long id) {
			return CompletableFuture.completedFuture(load(id));
		}

		@BloomGuarded("products")
		public Mono<String> findMono(long id) {
			return Mono.fromSupplier(() -> load(id));
		}

		@BloomGuarded("products")
		public Flux<String> findFlux(long id) {
			return findMono(id).flux();
		}

		public @Nullable String get(BloomGuard guard, long id) {
			return guard.get("products", id, () -> load(id));
		}

		@BloomGuarded(filter = "products", keys = "#ids")
		public List<String> findAll(List<Long> ids) {
			return ids.stream().map(this::load).filter(Objects::nonNull).toList();
		}

		@BloomGuarded(filter = "products", keys = "#ids")
		public CompletableFuture<List<String>> findAllLater(Set<Long> ids) {
			return CompletableFuture.completedFuture(findAll(List.copyOf(ids)));
		}

		@BloomGuarded(filter = "orders", key = "#order")
		@BloomGuarded(filter = "products", key = "#id")
		public @Nullable String findTwice(long id, long order) {
			return load(id);
		}

	}

}
