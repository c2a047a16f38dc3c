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
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.KeyEquality;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.Membership;
import io.github.bloomguard.UnsupportedKeyException;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.circuit.CircuitBreaker;
import io.github.bloomguard.feed.AbsenceBarrier;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.generation.Trust;
import io.github.bloomguard.instance.CallEvidence;
import io.github.bloomguard.instance.FilterSnapshot;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.instance.Requirements;
import io.github.bloomguard.instance.Standing;
import io.github.bloomguard.sentinel.EmptySentinels;
import io.github.bloomguard.source.FilterSources;
import io.github.bloomguard.statistics.FilterStatistics;
import io.github.bloomguard.statistics.ListenerChain;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import io.github.bloomguard.verifying.FloodWatch;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyList;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.anyString;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.spy;
import static org.mockito.Mockito.withSettings;

/**
 * Tests for {@link FilterGuard}.
 */
class FilterGuardTests {

	private static final Duration PATIENCE = Duration.ofMinutes(1);

	private final GenerationalFilter filter = mock(GenerationalFilter.class, withSettings().stubOnly());

	private final EmptySentinels sentinels = mock(EmptySentinels.class, withSettings().stubOnly());

	private final CompletableFuture<Boolean> barrier = new CompletableFuture<>();

	private final ExecutorService application = Executors.newSingleThreadExecutor((task) -> new Thread(task, "theirs"));

	private final ExecutorService redis = Executors.newSingleThreadExecutor((task) -> new Thread(task, "redis"));

	private List<KeySource> sources = List.of();

	private final ExecutorService own = Executors.newCachedThreadPool((task) -> new Thread(task, "ours"));

	@BeforeEach
	void callKeysAbsent() {
		given(this.filter.mode()).willReturn(FilterMode.ENFORCE);
		given(this.filter.clock()).willReturn(MonotonicClock.SYSTEM);
		given(this.filter.evidence()).willReturn(mock(CallEvidence.class, withSettings().stubOnly()));
		beProven(true);
		given(this.filter.isDistinct(anyString())).willReturn(true);
		given(this.filter.canTell(anyString())).willReturn(true);
		given(this.filter.lookupInMemory(any(), anyLong())).willReturn(Membership.UNKNOWN);
		given(this.filter.lookupInMemory(any(), anyString())).willReturn(Membership.UNKNOWN);
		answer(Membership.ABSENT);
	}

	private void beProven(boolean proven) {
		Standing standing = new Standing(proven ? FilterState.READY : FilterState.PROVING, true, proven, Mode.BEHIND,
				true, proven, false, false, false, 10, null, Trust.NONE,
				new Requirements(100, Duration.ZERO, Mode.BEHIND, false, null, () -> 0), 0, null);
		given(this.filter.standing()).willReturn(standing);
		given(this.filter.snapshot()).willReturn(new FilterSnapshot(null, null, null, 0, null, standing));
	}

	@AfterEach
	void stop() {
		this.application.shutdownNow();
		this.own.shutdownNow();
		this.redis.shutdownNow();
	}

	@Test
	void answerIsHandedToTheApplicationThoughTheBarrierTookLongerThanRedisMay() {
		CircuitBreaker breaker = spy(CircuitBreaker.ofFilters(PATIENCE, PATIENCE));
		long early = System.nanoTime() + Duration.ofSeconds(1).toNanos();
		willReturn(early, early, early + PATIENCE.toNanos()).given(breaker).deadline();
		GuardedFilter guard = guard(() -> this.barrier, breaker).withEmptyTtl(Duration.ZERO);
		CompletableFuture<String> thread = guard.check(1).future().thenApply(FilterGuardTests::thread);
		CompletableFuture<String> forMany = guard.possible(List.of(1, 2)).future().thenApply(FilterGuardTests::thread);
		this.barrier.completeOnTimeout(true, early - System.nanoTime(), TimeUnit.NANOSECONDS);
		assertThat(thread).succeedsWithin(Duration.ofSeconds(20)).isEqualTo("theirs");
		assertThat(forMany).succeedsWithin(Duration.ofSeconds(20)).isEqualTo("theirs");
	}

	@Test
	void keyIsAbsentIfItStillIsBehindTheBarrier() {
		GuardedFilter guard = guard(() -> CompletableFuture.completedFuture(true));
		assertThat(verdicts(guard)).containsOnly(Decision.ABSENT);
		assertThat(guard.membership(1)).isEqualTo(Membership.ABSENT);
		assertThat(guard.possible(List.of(1, 2)).await().positions().isEmpty()).isTrue();
	}

	@Test
	void keyThatIsAddedUntilTheBarrierIsPassedIsNotAbsent() {
		assertThat(verdicts(guard(this::add))).extracting(Decision::membership).containsOnly(Membership.MAYBE);
		assertThat(guard(this::add).membership(1)).isEqualTo(Membership.MAYBE);
		answer(Membership.ABSENT);
		assertThat(guard(this::add).possible(List.of(1, 2)).await().positions().cardinality()).isEqualTo(2);
	}

	@Test
	void questionsWaitForTheBarrierAlsoBeforeTheFilterHasProvenItself() {
		beProven(false);
		assertThat(guard(this::add).membership(1)).isEqualTo(Membership.MAYBE);
		answer(Membership.ABSENT);
		assertThat(guard(this::add).mightContain(1)).isTrue();
	}

	@Test
	void nothingIsAbsentIfTheBarrierIsNotPassed() {
		GuardedFilter guard = guard(() -> CompletableFuture.completedFuture(false));
		assertThat(verdicts(guard)).containsOnly(Decision.UNKNOWN);
		assertThat(guard.membership(1)).isEqualTo(Membership.UNKNOWN);
		assertThat(guard.possible(List.of(1, 2)).await().positions().cardinality()).isEqualTo(2);
	}

	@Test
	void cachesRememberNoAbsenceThatWouldHaveToWaitForABarrier() {
		assertThat(guard(AbsenceBarrier.NONE).textOfAbsence(7)).isEqualTo("7");
		assertThat(guard(this::add).textOfAbsence(7)).isNull();
	}

	@Test
	void cachesRememberAbsenceOnlyIfTheSourceHasNoSuchRowEither() {
		assertThat(guard(AbsenceBarrier.NONE).confirmsAbsence(7).await()).as("nothing can tell").isTrue();
		for (Optional<Boolean> told : List.of(Optional.of(false), Optional.of(true), Optional.<Boolean>empty())) {
			this.sources = List.of(source(() -> told));
			assertThat(guard(AbsenceBarrier.NONE).confirmsAbsence(7).await()).as("has it: %s", told)
				.isEqualTo(!told.orElse(false));
		}
		this.sources = List.of(source(() -> {
			throw new IllegalStateException("The database does not answer");
		}));
		assertThat(guard(AbsenceBarrier.NONE).confirmsAbsence(7).await()).as("fails").isFalse();
		CountDownLatch hanging = new CountDownLatch(1);
		this.sources = List.of(source(() -> {
			try {
				hanging.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			return Optional.of(false);
		}));
		GuardedFilter guard = guard(AbsenceBarrier.NONE,
				CircuitBreaker.ofFilters(Duration.ofMillis(20), Duration.ofMillis(20)));
		assertThat(guard.confirmsAbsence(7).await()).as("hangs").isFalse();
		assertThat(guard.confirmsAbsence(7).await()).as("was asked before this load").isFalse();
		given(this.filter.mode()).willReturn(FilterMode.OFF);
		assertThat(guard.confirmsAbsence(7).await()).as("is not asked").isTrue();
		hanging.countDown();
	}

	private static KeySource source(Supplier<Optional<Boolean>> contains) {
		return new KeySource() {

			@Override
			public String filter() {
				return "products";
			}

			@Override
			public Stream<?> keys() {
				return Stream.empty();
			}

			@Override
			public Optional<Boolean> contains(List<? extends @Nullable Object> key) {
				return contains.get();
			}

		};
	}

	@Test
	void sentinelThatIsLateLeavesWhatThisInstanceKnows() {
		given(this.filter.lookupInMemory(any(), anyLong())).willReturn(Membership.MAYBE);
		given(this.sentinels.contains(anyString(), anyString())).willReturn(new CompletableFuture<>());
		GuardedFilter guard = guard(AbsenceBarrier.NONE,
				CircuitBreaker.ofFilters(Duration.ofMillis(20), Duration.ofMillis(20)));
		assertThat(verdicts(guard)).extracting(Decision::membership).containsOnly(Membership.MAYBE);
	}

	@Test
	void keyWithoutAFormIsRefusedWhereverItStands() {
		given(this.filter.lookup(any(), anyList())).willAnswer((invocation) -> new CompletableFuture<>()
			.completeOnTimeout(Collections.nCopies(500, Membership.ABSENT), 20, TimeUnit.MILLISECONDS));
		List<Object> keys = new ArrayList<>(IntStream.range(0, 2000).boxed().toList());
		keys.add(new Object());
		assertThatExceptionOfType(UnsupportedKeyException.class)
			.isThrownBy(() -> guard(AbsenceBarrier.NONE).possible(keys).await());
	}

	@Test
	void threadOfRedisAsksNoSourceOfTheApplication() {
		Set<String> threads = ConcurrentHashMap.newKeySet();
		KeyEquality equality = new KeyEquality() {

			@Override
			public Set<Difference> ignored() {
				return EXACT;
			}

			@Override
			public boolean tellsApart(List<? extends @Nullable Object> key) {
				threads.add(Thread.currentThread().getName());
				return false;
			}

		};
		this.sources = List.of(new KeySource() {

			@Override
			public String filter() {
				return "products";
			}

			@Override
			public Stream<?> keys() {
				return Stream.empty();
			}

			@Override
			public Optional<KeyEquality> equality() {
				return Optional.of(equality);
			}

		});
		given(this.filter.lookup(any(), anyString())).willAnswer((invocation) -> later(Membership.ABSENT));
		given(this.filter.lookup(any(), anyList())).willAnswer((invocation) -> later(
				Collections.nCopies(invocation.<List<String>>getArgument(1).size(), Membership.ABSENT)));
		GuardedFilter guard = guard(AbsenceBarrier.NONE);
		assertThat(guard.check(1).await().membership()).isEqualTo(Membership.MAYBE);
		assertThat(guard.check(1).future().join().membership()).isEqualTo(Membership.MAYBE);
		assertThat(guard.possible(List.of(1, 2)).await().positions().cardinality()).isEqualTo(2);
		assertThat(guard.possible(List.of(1, 2)).future().join().positions().cardinality()).isEqualTo(2);
		assertThat(threads).isNotEmpty().doesNotContain("redis");
	}

	@Test
	void filterIsNotRefutedForARowWhoseKeyTheChangeLogHasNotBroughtYet() {
		AtomicInteger refuted = new AtomicInteger();
		given(this.filter.clock()).willReturn(MonotonicClock.SYSTEM);
		given(this.filter.shapes()).willReturn(CompletableFuture.completedFuture(Optional.empty()));
		CallEvidence evidence = this.filter.evidence();
		willAnswer((invocation) -> refuted.incrementAndGet()).given(evidence).noteWrong("1");
		beProven(false);
		for (AbsenceBarrier barrier : List.<AbsenceBarrier>of(() -> CompletableFuture.completedFuture(false),
				this::add)) {
			GuardedFilter guard = guard(barrier);
			answer(Membership.ABSENT);
			guard.loaded(1, Decision.LET_THROUGH, false, false);
			assertThat(refuted).hasValue(0);
		}
		answer(Membership.ABSENT);
		guard(() -> CompletableFuture.completedFuture(true)).loaded(1, Decision.LET_THROUGH, false, false);
		Awaitility.await().until(() -> refuted.get() == 1);
	}

	@Test
	void rowThatWasFoundIsToldOfWhenTheFilterCanTellAgain() {
		AtomicInteger wrong = new AtomicInteger();
		AtomicInteger asked = new AtomicInteger();
		CallEvidence evidence = this.filter.evidence();
		given(this.filter.clock()).willReturn(MonotonicClock.SYSTEM);
		given(this.filter.add(anyList())).willReturn(CompletableFuture.completedFuture(1L));
		willAnswer((invocation) -> wrong.incrementAndGet()).given(evidence).noteWrong("1");
		given(this.filter.lookup(any(), anyString())).willAnswer((invocation) -> {
			asked.incrementAndGet();
			return CompletableFuture.completedFuture(Membership.UNKNOWN);
		});
		guard(AbsenceBarrier.NONE).loaded(1, Decision.LET_THROUGH, false, false);
		Awaitility.await().until(() -> asked.get() > 0);
		answer(Membership.ABSENT);
		Awaitility.await().until(() -> wrong.get() == 1);
	}

	@Test
	void onlyASourceTellsThatNoRowHasAKeyOrTheFilterWhereNoSourceCan() {
		List<Object> absent = Collections.synchronizedList(new ArrayList<>());
		GuardedFilter guard = guard(AbsenceBarrier.NONE);
		guard.ifAbsent(1, Decision.LET_THROUGH, () -> absent.add("called absent"));
		guard.ifAbsent(2, Decision.MAYBE, () -> absent.add("let pass"));
		guard.ifAbsent(3, Decision.UNKNOWN, () -> absent.add("unknown"));
		assertThat(absent).containsExactly("called absent");
		this.sources = List.of(new KeySource() {

			@Override
			public String filter() {
				return "products";
			}

			@Override
			public Stream<?> keys() {
				return Stream.empty();
			}

			@Override
			public Optional<Boolean> contains(List<? extends @Nullable Object> key) {
				return Optional.of(key.equals(List.of(1L)));
			}

		});
		GuardedFilter looking = guard(AbsenceBarrier.NONE);
		looking.ifAbsent(1L, Decision.LET_THROUGH, () -> absent.add("has a row"));
		looking.ifAbsent(2L, Decision.MAYBE, () -> absent.add("has no row"));
		Awaitility.await().until(() -> absent.contains("has no row"));
		assertThat(absent).containsExactly("called absent", "has no row");
	}

	private <T> CompletableFuture<T> later(T answer) {
		return CompletableFuture.supplyAsync(() -> answer,
				CompletableFuture.delayedExecutor(20, TimeUnit.MILLISECONDS, this.redis));
	}

	private CompletableFuture<Boolean> add() {
		answer(Membership.MAYBE);
		return CompletableFuture.completedFuture(true);
	}

	/**
	 * Decide in both ways. The second begins as the first did.
	 */
	private List<Decision> verdicts(GuardedFilter guard) {
		Decision checked = guard.check(1).await();
		answer(Membership.ABSENT);
		Decision later = guard.check(1).future().join();
		answer(Membership.ABSENT);
		return List.of(checked, later);
	}

	private void answer(Membership answer) {
		given(this.filter.lookup(any(), anyString()))
			.willAnswer((invocation) -> CompletableFuture.completedFuture(answer));
		given(this.filter.lookup(any(), anyList())).willAnswer((invocation) -> {
			List<String> keys = invocation.getArgument(1);
			return CompletableFuture.completedFuture(keys.stream().map((key) -> answer).toList());
		});
	}

	private GuardedFilter guard(AbsenceBarrier barrier) {
		return guard(barrier, CircuitBreaker.ofFilters(PATIENCE, PATIENCE)).withEmptyTtl(Duration.ZERO);
	}

	private GuardedFilter guard(AbsenceBarrier barrier, CircuitBreaker breaker) {
		Executor slow = CompletableFuture.delayedExecutor(100, TimeUnit.MILLISECONDS, this.application);
		FilterSettings settings = new FilterSettingsBuilder().build();
		FilterStatistics statistics = new FilterStatistics("products", new ListenerChain(List.of(), Runnable::run));
		return new FilterGuardFactory(new KeyFormat(List.of()), UnaryOperator.identity(), List::of, slow, this.own,
				(task) -> task)
			.create(settings, this.filter, breaker, this.sentinels, statistics,
					new FloodWatch(settings, this.filter, statistics), FilterSources.of(this.sources), barrier, barrier)
			.asked();
	}

	private static String thread(Object answer) {
		return Thread.currentThread().getName();
	}

}
