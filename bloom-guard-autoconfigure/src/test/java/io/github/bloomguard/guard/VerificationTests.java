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
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.Membership;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.endpoint.BloomGuardEndpoint;
import io.github.bloomguard.endpoint.FilterReport;
import io.github.bloomguard.guard.FilterStatistics.Outcome;
import io.github.bloomguard.health.BloomGuardHealthIndicator;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.RecordingListener;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
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
import org.springframework.core.task.SimpleAsyncTaskExecutor;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code verification}, with sources that can't look up a key. Each test has a
 * server of its own: what an instance finds may come into the record when its test is
 * over, and would be the doubt of another one.
 */
@Tag("slow")
class VerificationTests {

	private static final String VERIFICATION = "bloom-guard.filters.products.verification.";

	private final RecordingListener listener = new RecordingListener();

	private final ConcurrentMapCacheManager caches = new ConcurrentMapCacheManager();

	private final TestRedis redis = TestRedis.start().reset();

	private final Rows rows = new Rows();

	private GuardApplication application;

	private BloomGuard guard;

	private Products products;

	private long candidate = 1_000_000;

	@AfterEach
	void close() {
		this.products.goOn();
		this.application.close();
		this.redis.close();
	}

	@Test
	void rowWrittenBehindTheGuardsBackIsAddedAndShownUntilItIsAcknowledged() {
		start();
		assertThat(health().getStatus()).isEqualTo(Status.UP);
		long id = absent();
		this.products.insert(id);
		assertThat(this.products.find(id)).isNull();
		awaitAdded(id);
		assertThat(this.products.find(id)).isEqualTo("product " + id);
		awaitFalseNegative();
		assertThat(this.listener.events()).contains("products added 1");
		assertThat(health().getStatus()).isEqualTo(Status.UNKNOWN);
		assertThat(health().getDetails()).containsEntry("falseNegatives", Map.of("products", 1L))
			.containsKey("beforeUntil");
		BloomGuardEndpoint endpoint = this.application.bean(BloomGuardEndpoint.class);
		FilterReport report = endpoint.filter("products");
		assertThat(report.falseNegatives()).isOne();
		assertThat(report.verification().lookedUp()).isPositive();
		assertThat(report.verification().wrong()).isPositive();
		Awaitility.await().until(() -> endpoint.filter("products").verification().lastWrongAt() != null);
		FilterReport.Verification verification = endpoint.filter("products").verification();
		assertThat(verification.beforeUntil()).isEqualTo(verification.lastWrongAt().plus(Duration.ofMinutes(10)));
		long counted = report.requests().falseNegative();
		assertThat(counted).isPositive();
		report = endpoint.change(SecurityContext.NONE, "products", null, "acknowledge", null);
		assertThat(report.falseNegatives()).isZero();
		assertThat(report.verification().beforeUntil()).isNull();
		assertThat(report.requests().falseNegative()).isEqualTo(counted);
		Awaitility.await().until(() -> health().getStatus() == Status.UP);
		assertThat(health().getDetails()).doesNotContainKey("falseNegatives");
		assertThat(endpoint.change(SecurityContext.NONE, "unknown", null, "acknowledge", null)).isNull();
	}

	@Test
	void compositeKeyIsRepairedAsOneKey() {
		start();
		long id = absent();
		this.products.insert(id);
		assertThat(this.products.findComposite(id, "shop")).isNull();
		awaitAdded(List.of(id, "shop"));
		assertThat(this.products.findComposite(id, "shop")).isEqualTo("product " + id);
		awaitFalseNegative();
	}

	static Stream<Named<BiConsumer<VerificationTests, Long>>> calls() {
		return Stream.of(call("Optional", (test, id) -> assertThat(test.products.findOptional(id)).isEmpty()),
				call("future", (test, id) -> assertThat(test.products.findLater(id).join()).isNull()),
				call("Mono", (test, id) -> assertThat(test.products.findMono(id).block()).isNull()),
				call("Flux", (test, id) -> assertThat(test.products.findFlux(id).collectList().block()).isEmpty()),
				call("one of two filters", (test, id) -> assertThat(test.products.findTwice(id, 1)).isNull()),
				call("loader", (test, id) -> assertThat(test.products.get(test.guard, id)).isNull()),
				call("many keys", (test, id) -> assertThat(test.products.findAll(List.of(2L, id))).isEmpty()),
				call("many keys later",
						(test, id) -> assertThat(test.products.findAllLater(Set.of(id)).join()).isEmpty()));
	}

	private static Named<BiConsumer<VerificationTests, Long>> call(String name,
			BiConsumer<VerificationTests, Long> call) {
		return Named.of(name, call);
	}

	@ParameterizedTest
	@MethodSource("calls")
	void everyKindOfMethodIsVerified(BiConsumer<VerificationTests, Long> call) {
		start();
		long missing = absent();
		call.accept(this, missing);
		awaitCalls(missing, 1);
		long present = absent();
		this.products.insert(present);
		call.accept(this, present);
		awaitAdded(present);
		// it can't tell while the record changes, in which the wrong answer is noted
		Awaitility.await()
			.until(() -> this.application.filter("products").preview(missing).membership() == Membership.ABSENT);
		awaitFalseNegative();
	}

	static Stream<Named<BiPredicate<VerificationTests, Long>>> questions() {
		return Stream.of(question("value", (test, id) -> test.products.find(id) != null),
				question("future", (test, id) -> test.products.findLater(id).join() != null),
				question("Mono", (test, id) -> test.products.findMono(id).block() != null),
				question("loader", (test, id) -> test.products.get(test.guard, id) != null),
				question("mightContain", (test, id) -> test.guard.mightContain("products", id)),
				question("membership", (test, id) -> test.guard.membership("products", id) != Membership.ABSENT),
				question("many keys", (test, id) -> test.products.findAll(List.of(2L, id)).size() == 1));
	}

	private static Named<BiPredicate<VerificationTests, Long>> question(String name,
			BiPredicate<VerificationTests, Long> question) {
		return Named.of(name, question);
	}

	@ParameterizedTest
	@MethodSource("questions")
	void whoAsksForAKeyThatIsLookedUpIsToldWhatIsFound(BiPredicate<VerificationTests, Long> question) {
		start();
		long id = absent();
		this.products.insert(id);
		this.products.holdCalls();
		assertThat(this.products.find(id)).isNull();
		awaitCalls(id, 1);
		CompletableFuture<Boolean> others = CompletableFuture.supplyAsync(() -> question.test(this, id));
		Awaitility.await().during(Duration.ofMillis(100)).until(() -> !others.isDone());
		this.products.goOn();
		assertThat(others.join()).isTrue();
	}

	@Test
	void whoAsksForAKeyThatIsLookedUpWaitsNoLongerThanForTheFilterAndTheMethodIsNotCalled() {
		start("bloom-guard.timeout=100ms");
		long id = absent();
		this.products.holdCalls();
		assertThat(this.products.find(id)).isNull();
		Awaitility.await().until(() -> this.products.calls(id) == 1);
		assertThat(this.products.find(id)).isNull();
		assertThat(this.products.findAll(List.of(id))).isEmpty();
		assertThat(this.products.findLater(id).join()).isNull();
		assertThat(this.products.calls(id)).isOne();
		this.products.goOn();
	}

	@Test
	void rowThatCameWhileItsKeyWasLookedUpInVainIsFound() {
		RowsThatAreLookedUp source = new RowsThatAreLookedUp();
		start(source);
		long id = absent();
		source.held = new CountDownLatch(1);
		assertThat(this.products.find(id)).isNull();
		Awaitility.await().until(() -> source.held.getCount() == 1 && source.looked.contains(id));
		this.products.insert(id);
		CompletableFuture<@Nullable String> late = this.products.findLater(id);
		source.held.countDown();
		assertThat(late.join()).isNull();
		awaitAdded(id);
	}

	@Test
	void rowIsNotHiddenFromQuestionsByAFilterThatIsNotProven() {
		start(new RowsThatAreLookedUp(), VERIFICATION + "required-calls=100");
		long id = absent();
		this.products.insert(id);
		assertThat(this.guard.mightContain("products", id)).isFalse();
		Awaitility.await().until(() -> this.guard.mightContain("products", id));
		assertThat(this.guard.membership("products", id)).isEqualTo(Membership.UNKNOWN);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 100 })
	void questionsAreAnsweredWhenTheSourceHasBeenAsked(int requiredCalls) {
		RowsThatAreLookedUp source = new RowsThatAreLookedUp();
		start(source, VERIFICATION + "required-calls=" + requiredCalls, VERIFICATION + "mode=before");
		long missing = absent();
		long id = absent();
		long other = absent();
		assertThat(this.guard.mightContain("products", missing)).isFalse();
		assertThat(source.looked).contains(missing);
		GenerationalFilter filter = this.application.products().filter();
		filter.refresh().join();
		assertThat(filter.standing().trust().proof().absent()).isZero();
		this.products.insert(id);
		assertThat(this.guard.mightContain("products", id)).isTrue();
		this.products.insert(other);
		assertThat(this.guard.membership("products", other)).isNotEqualTo(Membership.ABSENT);
	}

	@Test
	void methodIsNotCalledOnTheThreadOfTheCallerAndGoesThroughTheCache() {
		start();
		long id = absent();
		this.products.insert(id);
		assertThat(this.products.findCached(id)).isNull();
		awaitCalls(id, 1);
		assertThat(this.products.threads()).doesNotContain(Thread.currentThread());
		awaitAdded(id);
		assertThat(this.caches.getCache("products").get(id, String.class)).isEqualTo("product " + id);
		assertThat(this.products.findCached(id)).isEqualTo("product " + id);
		assertThat(this.products.calls(id)).isOne();
	}

	@Test
	void whatComesWhileEnoughAreMadeIsDropped() {
		start();
		this.products.holdCalls();
		List<Long> ids = Stream.generate(this::absent).limit(100).toList();
		ids.forEach((id) -> assertThat(this.products.find(id)).isNull());
		awaitCalls(ids.get(SourceLookUps.MAX_CALLS - 1), 1);
		this.products.goOn();
		long later = absent();
		Awaitility.await().until(() -> this.products.find(later) == null && this.products.calls(later) > 0);
		assertThat(ids.stream().filter((id) -> this.products.calls(id) > 0))
			.containsExactlyElementsOf(ids.subList(0, SourceLookUps.MAX_CALLS));
	}

	@Test
	void keyThatWasAddedMeanwhileIsNoFalseNegative() {
		start();
		long id = absent();
		this.products.holdCalls();
		assertThat(this.products.find(id)).isNull();
		awaitCalls(id, 1);
		this.products.insert(id);
		this.guard.add("products", id);
		this.products.goOn();
		long next = absent();
		this.products.insert(next);
		assertThat(this.products.find(next)).isNull();
		awaitAdded(next);
		awaitFalseNegative();
	}

	@Test
	void failedLookUpIsNotTheLast() {
		start();
		long failing = absent();
		this.products.failFor(failing);
		assertThat(this.products.find(failing)).isNull();
		awaitCalls(failing, 1);
		awaitCall(failing, (id) -> assertThat(this.products.findLater(id).join()).isNull());
		awaitCall(failing, (id) -> assertThat(this.products.findMono(id).block()).isNull());
		long id = absent();
		assertThat(this.products.find(id)).isNull();
		awaitCalls(id, 1);
		assertThat(this.application.products().statistics().unacknowledgedFalseNegatives()).isZero();
	}

	@Test
	void callsAreAnsweredWhileNoThreadCanBeStartedAndVerifiedAfterwards() {
		start();
		SimpleAsyncTaskExecutor executor = this.application.context()
			.getBean("bloomGuardExecutor", SimpleAsyncTaskExecutor.class);
		executor.setThreadFactory((task) -> new Thread(task) {

			@Override
			public void start() {
				throw new OutOfMemoryError("unable to create native thread");
			}

		});
		for (int i = 0; i < 2 * SourceLookUps.MAX_CALLS; i++) {
			assertThat(this.products.find(absent())).isNull();
			assertThat(this.products.findLater(absent()).join()).isNull();
		}
		assertThat(this.products.threads()).isEmpty();
		executor.setThreadFactory(Thread::new);
		long id = absent();
		awaitCall(id, (asked) -> assertThat(this.products.find(asked)).isNull());
	}

	@Test
	void existingKeysAreNotVerified() {
		start();
		this.products.insert(1);
		assertThat(this.products.find(1)).isEqualTo("product 1");
		long id = absent();
		this.products.find(id);
		awaitCalls(id, 1);
		assertThat(this.products.calls(1)).isOne();
	}

	@ParameterizedTest
	@ValueSource(strings = { "mode=off", "rate=0" })
	void nothingIsVerifiedWhereThatIsSwitchedOff(String property) {
		start(VERIFICATION + property);
		for (int i = 0; i < 100; i++) {
			long id = absent();
			this.products.insert(id);
			assertThat(this.products.find(id)).isNull();
			assertThat(this.products.findLater(id).join()).isNull();
			assertThat(this.products.findMono(id).block()).isNull();
		}
		assertThat(this.products.threads()).isEmpty();
		assertThat(this.application.filter("products").check(absent()).await().verified()).isFalse();
	}

	@Test
	@Tag("slow")
	void callsGoThroughWithinTheRateWhereAnswersAreVerifiedBeforeTheyAreGiven() {
		start(VERIFICATION + "mode=before", VERIFICATION + "rate=5");
		List<Long> ids = Stream.generate(this::absent).limit(50).toList();
		assertThat(ids).allMatch((id) -> this.products.find(id) == null);
		assertThat(this.products.threads()).hasSizeBetween(5, 25).containsOnly(Thread.currentThread());
		this.products.threads().clear();
		Awaitility.await().until(() -> this.products.find(absent()) == null && !this.products.threads().isEmpty());
	}

	@Test
	void everyKindOfMethodFindsTheRowWhereAnswersAreVerifiedBeforeTheyAreGiven() {
		start(VERIFICATION + "mode=before");
		assertThat(this.products.find(hidden())).isNotNull();
		assertThat(this.products.findOptional(hidden())).isPresent();
		assertThat(this.products.findLater(hidden()).join()).isNotNull();
		assertThat(this.products.findMono(hidden()).block()).isNotNull();
		assertThat(this.products.findFlux(hidden()).collectList().block()).hasSize(1);
		assertThat(this.products.findTwice(hidden(), 1)).isNotNull();
		assertThat(this.products.get(this.guard, hidden())).isNotNull();
		assertThat(this.products.findAll(List.of(hidden(), absent(), hidden()))).hasSize(2);
		assertThat(this.products.findAllLater(Set.of(hidden(), hidden())).join()).hasSize(2);
		long asked = hidden();
		assertThat(this.guard.mightContain("products", asked)).isTrue();
		assertThat(this.guard.membership("products", asked)).isNotEqualTo(Membership.ABSENT);
	}

	private long hidden() {
		long id = absent();
		this.products.insert(id);
		return id;
	}

	@Test
	void floodIsLookedUpAtTheSourceAsOftenAsTheRateSaysAndNoMethodIsCalled() {
		RowsThatAreLookedUp source = new RowsThatAreLookedUp();
		start(source, VERIFICATION + "rate=10");
		FilterStatistics statistics = this.application.products().statistics();
		BloomGuardEndpoint endpoint = this.application.bean(BloomGuardEndpoint.class);
		Supplier<String> state = () -> "where the filter is " + endpoint.filter("products");
		long begun = System.nanoTime();
		Awaitility.await()
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(1))
			.failFast(() -> assertThat(this.products.threads()).as(state)
				.hasSizeLessThanOrEqualTo((int) statistics.count(Outcome.UNKNOWN)))
			.untilAsserted(() -> {
				assertThat(this.products.find(absent())).isNull();
				assertThat(System.nanoTime() - begun).isGreaterThan(Duration.ofSeconds(2).toNanos());
				assertThat(source.asked).as(state).hasValueGreaterThanOrEqualTo(10);
			});
		long seconds = Duration.ofNanos(System.nanoTime() - begun).toSeconds() + 1;
		assertThat(source.asked.get()).isBetween(10, (int) (10 * (seconds + 1)));
		long id = hidden();
		Awaitility.await().until(() -> this.products.find(id) != null);
		assertThat(this.guard.membership("products", absent())).isEqualTo(Membership.ABSENT);
	}

	@Test
	void sourceIsAskedBeforeAnythingIsRememberedAsNotFound() {
		RowsThatAreLookedUp source = new RowsThatAreLookedUp();
		start(source, "bloom-guard.filters.products.false-positive-probability=0.5");
		GuardedFilter filter = this.application.filter("products").scopedTo("test");
		long absent = passing(filter);
		Awaitility.await().until(() -> {
			filter.loaded(absent, filter.check(absent).await(), true);
			return filter.check(absent).await().answered();
		});
		long hidden = passing(filter);
		this.products.insert(hidden);
		int asked = source.asked.get();
		filter.loaded(hidden, filter.check(hidden).await(), true);
		Awaitility.await().until(() -> source.asked.get() > asked);
		Awaitility.await()
			.during(Duration.ofMillis(300))
			.untilAsserted(() -> assertThat(filter.check(hidden).await().answered()).isFalse());
	}

	private long passing(GuardedFilter filter) {
		do {
			this.candidate++;
		}
		while (filter.preview(this.candidate).membership() != Membership.MAYBE);
		return this.candidate;
	}

	@Test
	void shadowModeReportsAndAddsWithoutLookUps() {
		start("bloom-guard.filters.products.mode=shadow");
		long id = absent();
		this.products.insert(id);
		assertThat(this.products.find(id)).isEqualTo("product " + id);
		awaitAdded(id);
		assertThat(this.products.threads()).containsExactly(Thread.currentThread());
		assertThat(this.application.products().statistics().unacknowledgedFalseNegatives()).isOne();
	}

	@Test
	void allInstancesVerifyBeforeTheyAnswerWhenOneHasFoundAWrongAnswer() {
		start();
		try (GuardApplication other = instance(this.rows)) {
			GenerationalFilter filter = other.products().filter();
			assertThat(filter.standing().doubted()).isFalse();
			assertThat(this.products.find(hidden())).isNull();
			Awaitility.await().until(() -> filter.standing().doubted());
			long next = hidden();
			assertThat(other.bean(Products.class).find(next)).isEqualTo("product " + next);
			assertThat(other.bean(BloomGuardHealthIndicator.class).health(true).getDetails())
				.containsKey("beforeUntil");
		}
	}

	private void start(String... properties) {
		start(this.rows, properties);
	}

	private void start(Rows source, String... properties) {
		this.application = instance(source, properties);
		this.guard = this.application.guard();
		this.products = this.application.bean(Products.class);
	}

	private GuardApplication instance(Rows source, String... properties) {
		List<String> all = new ArrayList<>(List.of("management.endpoints.web.exposure.include=*",
				"management.endpoints.jmx.exposure.include=*", "spring.jmx.enabled=true", VERIFICATION + "mode=behind",
				VERIFICATION + "rate=1000", "bloom-guard.filters.products.false-positive-probability=0.000000001",
				"bloom-guard.filters.orders.expected-insertions=100",
				"bloom-guard.filters.orders.verification.required-calls=0",
				"bloom-guard.filters.orders.rebuild.settle=0s",
				"bloom-guard.filters.orders.false-positive-probability=0.000000001",
				"bloom-guard.filters.orders.rebuild.longest-transaction=100ms", "bloom-guard.timeout=2s"));
		all.addAll(List.of(properties));
		GuardApplication started = GuardApplication.start(this.redis,
				List.of(source, new Keys("orders", 100), this.listener, this.caches, Products.class, Caching.class),
				all.toArray(String[]::new));
		Awaitility.await()
			.pollDelay(Duration.ZERO)
			.pollInterval(Duration.ofMillis(20))
			.until(() -> started.guard().membership("orders", 1) == Membership.MAYBE
					&& Set.of(FilterState.READY, FilterState.SHADOW, FilterState.PROVING)
						.contains(started.products().filter().state()));
		return started;
	}

	private Health health() {
		return this.application.bean(BloomGuardHealthIndicator.class).health(true);
	}

	private long absent() {
		while (this.application.filter("products").preview(++this.candidate).membership() != Membership.ABSENT) {
			assertThat(this.candidate).isLessThan(2_000_000);
		}
		return this.candidate;
	}

	/**
	 * Ask until the key is looked up, which it is not while it still is.
	 */
	private void awaitCall(long id, Consumer<Long> question) {
		long before = this.products.calls(id);
		Awaitility.await().until(() -> {
			question.accept(id);
			return this.products.calls(id) > before;
		});
	}

	/**
	 * Wait until the filter has a key. Who asks for it is told so before, and calls until
	 * then may find its row once more.
	 */
	private void awaitAdded(Object key) {
		Awaitility.await()
			.until(() -> this.application.filter("products").preview(key).membership() == Membership.MAYBE);
	}

	/**
	 * Listeners are told on another thread.
	 */
	private void awaitFalseNegative() {
		Awaitility.await()
			.untilAsserted(() -> assertThat(this.listener.events()).containsOnlyOnce("products false negative"));
	}

	private void awaitCalls(long id, int calls) {
		Awaitility.await().until(() -> this.products.calls(id) == calls);
	}

	@EnableCaching
	static class Caching {

	}

	/**
	 * All rows there are, of all instances of a test.
	 */
	static class Rows implements KeySource {

		final Set<Long> inserted = ConcurrentHashMap.newKeySet();

		@Override
		public String filter() {
			return "products";
		}

		@Override
		public Stream<?> keys() {
			return Stream.concat(LongStream.rangeClosed(1, 1000).boxed(), this.inserted.stream());
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
			boolean found = id <= 1000 || this.inserted.contains(id);
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

		private final Set<Long> rows;

		private final Set<Long> failing = ConcurrentHashMap.newKeySet();

		private final List<Long> calls = new CopyOnWriteArrayList<>();

		private final List<Thread> threads = new CopyOnWriteArrayList<>();

		private volatile CountDownLatch held = new CountDownLatch(0);

		private volatile @Nullable Thread holder;

		Products(Rows rows) {
			this.rows = rows.inserted;
		}

		public void insert(long id) {
			this.rows.add(id);
		}

		public void failFor(long id) {
			this.failing.add(id);
		}

		public void holdCalls() {
			this.holder = Thread.currentThread();
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
			assertThat(this.held.getCount() > 0 && Thread.currentThread() == this.holder)
				.as("the call that would let it go on waits for itself")
				.isFalse();
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
