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

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.Membership;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import io.github.bloomguard.warmup.WarmUpProgress.Status;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationContextAware;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link WarmUp} in applications that start, fail and stop.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class WarmUpTests {

	private static final String ON_STARTUP = "bloom-guard.filters.products.warm-up.on-startup=";

	private static final String BLOCKING = "bloom-guard.filters.products.warm-up.blocking=";

	@AutoClose
	private final TestRedis redis = TestRedis.start().reset();

	private final Keys keys = new Keys("products", 100);

	private final CountDownLatch gate = new CountDownLatch(1);

	static Stream<Throwable> failures() {
		return Stream.of(new IllegalStateException("broken"), new CancellationException("broken"),
				new LinkageError("broken"));
	}

	@ParameterizedTest
	@MethodSource("failures")
	void failingSourceIsShownAndTriedAgainWhileTheApplicationServes(Throwable failure) {
		AtomicBoolean broken = new AtomicBoolean(true);
		this.keys.beforeRead(() -> {
			if (broken.get()) {
				WarmUpTests.<RuntimeException>sneakyThrow(failure);
			}
		});
		try (GuardApplication application = GuardApplication.start(this.redis, this.keys)) {
			Awaitility.await().until(() -> progress(application).status() == Status.FAILED && this.keys.reads() > 1);
			assertThat(progress(application).error()).contains("broken");
			assertThat(application.products().filter().state()).isEqualTo(FilterState.LOADING);
			assertThat(application.guard().membership("products", 100)).isEqualTo(Membership.UNKNOWN);
			assertThat(application.guard().mightContain("products", -1)).isTrue();
			broken.set(false);
			application.awaitReady();
			Awaitility.await().until(() -> progress(application).status() == Status.COMPLETED);
			assertThat(progress(application).error()).isNull();
			assertThat(application.guard().membership("products", 100)).isEqualTo(Membership.MAYBE);
			assertThat(application.guard().membership("products", -1)).isEqualTo(Membership.ABSENT);
		}
	}

	@SuppressWarnings("unchecked")
	private static <X extends Throwable> void sneakyThrow(Throwable failure) throws X {
		throw (X) failure;
	}

	@Test
	void sourceThatFailsMidwayLeavesNoHalfFilledFilter() {
		AtomicInteger reads = new AtomicInteger();
		Stub source = new Stub(() -> (reads.incrementAndGet() == 1)
				? Stream.concat(LongStream.range(0, 5000).boxed(), Stream.generate(() -> {
					throw new IllegalStateException("broken midway");
				})) : LongStream.range(0, 6000).boxed());
		try (GuardApplication application = GuardApplication.start(this.redis, source)) {
			application.awaitReady();
			assertThat(reads).hasValue(2);
			assertThat(source.closed).hasValue(2);
			Awaitility.await().until(() -> progress(application).status() == Status.COMPLETED);
			assertThat(progress(application).loaded()).isEqualTo(6000);
			assertThat(LongStream.range(0, 6000))
				.allMatch((id) -> application.guard().membership("products", id) == Membership.MAYBE);
		}
	}

	@Test
	void progressIsToldWhileKeysAreLoadedAndAfterwards() {
		Instant start = Instant.now();
		Stub source = new Stub(
				() -> Stream.concat(LongStream.range(0, 500).boxed(), Stream.of(-1L).peek((id) -> await(this.gate))));
		try (GuardApplication application = GuardApplication.start(this.redis, source)) {
			Awaitility.await().until(() -> progress(application).loaded() == 500);
			WarmUpProgress running = progress(application);
			assertThat(running.status()).isEqualTo(Status.RUNNING);
			assertThat(running.total()).isEqualTo(1000);
			assertThat(running.startedAt()).isBetween(start, Instant.now());
			assertThat(running.duration()).isBetween(Duration.ZERO, Duration.ofSeconds(30));
			this.gate.countDown();
			Awaitility.await().until(() -> progress(application).status() == Status.COMPLETED);
			WarmUpProgress done = progress(application);
			assertThat(done.loaded()).isEqualTo(501);
			assertThat(done.duration()).isGreaterThanOrEqualTo(running.duration());
			assertThat(progress(application).duration()).isEqualTo(done.duration());
		}
	}

	@Test
	void nullKeysOfASourceArePassedOver() {
		Stub source = new Stub(() -> Stream.of(1L, null, "2"));
		try (GuardApplication application = GuardApplication.start(this.redis, source).awaitReady()) {
			Awaitility.await().until(() -> progress(application).status() == Status.COMPLETED);
			assertThat(progress(application).loaded()).isEqualTo(2);
			assertThat(application.guard().membership("products", 2)).isEqualTo(Membership.MAYBE);
		}
	}

	@Test
	void filterThatWasFoundCompleteIsNotLoaded() {
		try (GuardApplication application = GuardApplication.start(this.redis, this.keys)) {
			application.awaitReady();
		}
		try (GuardApplication application = GuardApplication.start(this.redis, this.keys)) {
			application.awaitReady();
			assertThat(progress(application))
				.isEqualTo(new WarmUpProgress(Status.IDLE, 0, null, null, null, null, null));
			assertThat(this.keys.reads()).isOne();
		}
	}

	@Test
	void filterOfAnotherSizeIsReplacedAndAnswersUntilThen() {
		String former;
		try (GuardApplication application = GuardApplication.start(this.redis, this.keys)) {
			former = activeId(application.awaitReady());
		}
		this.keys.beforeRead(() -> await(this.gate));
		try (GuardApplication application = GuardApplication.start(this.redis, this.keys,
				"bloom-guard.filters.products.expected-insertions=20000")) {
			application.awaitReady();
			assertThat(activeId(application)).isEqualTo(former);
			assertThat(application.guard().membership("products", 100)).isEqualTo(Membership.MAYBE);
			this.gate.countDown();
			Awaitility.await().until(() -> !activeId(application).equals(former));
			assertThat(application.guard().membership("products", 100)).isEqualTo(Membership.MAYBE);
		}
	}

	@Test
	void onStartupAlwaysLoadsAgainWhileTheFormerGenerationAnswers() {
		String former;
		try (GuardApplication application = GuardApplication.start(this.redis, this.keys)) {
			former = activeId(application.awaitReady());
		}
		this.keys.beforeRead(() -> await(this.gate));
		try (GuardApplication application = GuardApplication.start(this.redis, this.keys, ON_STARTUP + "always")) {
			application.awaitReady();
			Awaitility.await().until(() -> this.keys.reads() == 2);
			assertThat(activeId(application)).isEqualTo(former);
			this.gate.countDown();
			Awaitility.await().until(() -> !activeId(application).equals(former));
		}
	}

	@Test
	void rebuildOfAFilterThatIsOnlyNowKnownToBeThereLoadsAgain() {
		GatedDatabase source = new GatedDatabase();
		source.gate.countDown();
		try (GuardApplication application = GuardApplication.start(this.redis, source)) {
			application.awaitReady();
		}
		source.gate = new CountDownLatch(1);
		try (GuardApplication application = GuardApplication.start(this.redis, source, ON_STARTUP + "never")) {
			ManagedFilter products = application.products();
			Awaitility.await().until(() -> products.filter().record() != null && source.waits.get() == 1);
			source.mayPass = Thread.currentThread();
			products.filter().findOrigin(Optional::empty);
			CompletableFuture<Void> rebuild = application.guard().rebuild("products");
			source.gate.countDown();
			rebuild.orTimeout(20, TimeUnit.SECONDS).join();
			assertThat(source.keys.reads()).isEqualTo(2);
		}
	}

	@Test
	void onStartupNeverLoadsOnlyOnDemand() {
		try (GuardApplication application = GuardApplication.start(this.redis, this.keys, ON_STARTUP + "never")) {
			Awaitility.await().until(() -> application.products().filter().record() != null);
			assertThat(application.products().filter().state()).isEqualTo(FilterState.LOADING);
			assertThat(application.guard().mightContain("products", -1)).isTrue();
			assertThat(this.keys.reads()).isZero();
			application.guard().rebuild("products").orTimeout(20, TimeUnit.SECONDS).join();
			assertThat(application.guard().mightContain("products", -1)).isFalse();
			assertThat(this.keys.reads()).isOne();
		}
	}

	@Test
	void manyRequestsStartFewRebuilds() {
		try (GuardApplication application = GuardApplication.start(this.redis, this.keys).awaitReady()) {
			Set<CompletableFuture<Void>> requests = ConcurrentHashMap.newKeySet();
			Awaitility.await()
				.pollInterval(Duration.ofMillis(5))
				.during(Duration.ofMillis(2500))
				.until(() -> requests.add(application.guard().rebuild("products")));
			assertThat(requests).hasSizeGreaterThan(50);
			CompletableFuture.allOf(requests.toArray(CompletableFuture<?>[]::new))
				.orTimeout(20, TimeUnit.SECONDS)
				.join();
			// the first load, one at once, one after each pause, and one that was waiting
			assertThat(this.keys.reads()).isBetween(3, 5);
		}
	}

	@Test
	void applicationIsNotReadyBeforeABlockingFilterIsComplete() {
		Availability availability = new Availability();
		this.keys.beforeRead(() -> await(this.gate));
		CompletableFuture<GuardApplication> started = CompletableFuture.supplyAsync(
				() -> GuardApplication.start(this.redis, List.of(this.keys, availability), BLOCKING + "true"),
				(task) -> new Thread(task).start());
		try {
			Awaitility.await()
				.ignoreExceptions()
				.until(() -> this.keys.reads() == 1 && availability.get().getLivenessState() == LivenessState.CORRECT);
			assertThat(availability.get().getReadinessState()).isEqualTo(ReadinessState.REFUSING_TRAFFIC);
			assertThat(started).isNotDone();
			this.gate.countDown();
			started.orTimeout(20, TimeUnit.SECONDS).join();
			assertThat(availability.get().getReadinessState()).isEqualTo(ReadinessState.ACCEPTING_TRAFFIC);
			assertThat(started.join().guard().membership("products", 100)).isEqualTo(Membership.MAYBE);
		}
		finally {
			this.gate.countDown();
			started.join().close();
		}
	}

	@Test
	void applicationIsReadyBeforeAFilterThatDoesNotBlock() {
		Availability availability = new Availability();
		this.keys.beforeRead(() -> await(this.gate));
		try (GuardApplication application = GuardApplication.start(this.redis, List.of(this.keys, availability),
				BLOCKING + "false")) {
			assertThat(availability.get().getReadinessState()).isEqualTo(ReadinessState.ACCEPTING_TRAFFIC);
			assertThat(application.products().filter().state()).isEqualTo(FilterState.LOADING);
			this.gate.countDown();
			application.awaitReady();
		}
	}

	@Test
	void closingTheApplicationStopsTheWarmUpAndClosesTheSource() {
		Stub endless = new Stub(() -> LongStream.iterate(0, (id) -> (id + 1) % 1000).boxed());
		GuardApplication application = GuardApplication.start(this.redis, endless);
		Awaitility.await().until(() -> progress(application).loaded() > 1000);
		long start = System.nanoTime();
		application.close();
		assertThat(System.nanoTime() - start).isLessThan(TimeUnit.SECONDS.toNanos(10));
		Awaitility.await().until(() -> endless.closed.get() == 1);
	}

	private static WarmUpProgress progress(GuardApplication application) {
		return application.products().warmUp().progress();
	}

	private static String activeId(GuardApplication application) {
		return application.products().filter().active().id();
	}

	private static void await(CountDownLatch latch) {
		try {
			assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

	/**
	 * Does not tell which database it is before it may.
	 */
	private static final class GatedDatabase implements KeySource {

		private final Keys keys = new Keys("products", 100);

		private final AtomicInteger waits = new AtomicInteger();

		private volatile CountDownLatch gate = new CountDownLatch(1);

		private volatile Thread mayPass;

		@Override
		public String filter() {
			return this.keys.filter();
		}

		@Override
		public Stream<?> keys() {
			return this.keys.keys();
		}

		@Override
		public String database() {
			if (Thread.currentThread() != this.mayPass && this.gate.getCount() > 0) {
				this.waits.incrementAndGet();
				WarmUpTests.await(this.gate);
			}
			return "shop";
		}

	}

	private static final class Stub implements KeySource {

		private final Supplier<Stream<?>> keys;

		private final AtomicInteger closed = new AtomicInteger();

		Stub(Supplier<Stream<?>> keys) {
			this.keys = keys;
		}

		@Override
		public String filter() {
			return "products";
		}

		@Override
		public Stream<?> keys() {
			return this.keys.get().onClose(this.closed::incrementAndGet);
		}

		@Override
		public OptionalLong count() {
			return OptionalLong.of(1000);
		}

	}

	/**
	 * Knows the availability of an application that has not been started completely.
	 */
	private static final class Availability implements ApplicationContextAware {

		private volatile @Nullable ApplicationContext context;

		@Override
		public void setApplicationContext(ApplicationContext context) {
			this.context = context;
		}

		ApplicationAvailability get() {
			ApplicationContext context = this.context;
			assertThat(context).isNotNull();
			return context.getBean(ApplicationAvailability.class);
		}

	}

}
