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

package io.github.bloomguard.verifying;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.guard.FilterUnderTest;
import io.github.bloomguard.guard.Rows;
import io.github.bloomguard.statistics.FilterStatistics.Outcome;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for the table of wrong answers in guarantees.md: rows that the filter does not
 * know, and how often calls are told that there is none.
 */
@Timeout(60)
class WrongAnswersTests {

	private static final long HIDDEN = -1;

	private static final int CALLERS = 64;

	private static final int CALLS = 5;

	private final Rows rows = new Rows.LookedUp();

	private final List<FilterUnderTest> running = new ArrayList<>();

	private final ExecutorService threads = Executors.newFixedThreadPool(CALLERS);

	@AfterEach
	void close() {
		this.rows.goOn();
		this.running.forEach(FilterUnderTest::close);
		this.threads.shutdownNow();
	}

	private FilterUnderTest start(FilterUnderTest.Setup setup) {
		FilterUnderTest filter = setup.loaded();
		this.running.add(filter);
		return filter;
	}

	@ParameterizedTest
	@CsvSource({ "BEHIND, 1", "BEFORE, 0" })
	void newRowForWhichOneCallerAsksAgainAndAgainIsHiddenFromTheFirstCallOnly(Mode mode, int wrong) {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).verification(mode, 10));
		this.rows.insert(HIDDEN);
		assertThat(wrongAnswers(filter, 50)).isEqualTo(wrong);
	}

	@ParameterizedTest
	@CsvSource({ "BEHIND, 1", "BEFORE, 0" })
	void newRowForWhichManyAskAtOnceIsHiddenFromTheFirstCallerOnly(Mode mode, int wrong) throws Exception {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).verification(mode, 10).inBackground());
		this.rows.insert(HIDDEN);
		assertThat(wrongAnswers(filter)).isEqualTo(wrong);
	}

	@ParameterizedTest
	@CsvSource({ "BEHIND, 1", "BEFORE, 0" })
	void newRowForWhichManyAskAtOnceIsHiddenFromTheFirstCallerOnlyWhereMethodsTell(Mode mode, int wrong)
			throws Exception {
		Rows methods = new Rows();
		FilterUnderTest filter = start(FilterUnderTest.with(methods).verification(mode, 10).inBackground());
		methods.insert(HIDDEN);
		assertThat(wrongAnswers(filter)).isEqualTo(wrong);
	}

	@Test
	void newRowThatOnlyCallersSeeIsFoundByAllThatAskAtOnce() throws Exception {
		this.rows.dependOnCaller();
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).inBackground());
		this.rows.insertForCallers(HIDDEN);
		assertThat(wrongAnswers(filter)).isZero();
	}

	private long wrongAnswers(FilterUnderTest filter) throws Exception {
		CyclicBarrier together = new CyclicBarrier(CALLERS);
		List<Future<Long>> callers = new ArrayList<>();
		for (int i = 0; i < CALLERS; i++) {
			Callable<Long> calls = () -> {
				together.await();
				return LongStream.range(0, CALLS).filter((call) -> filter.find(HIDDEN) == null).count();
			};
			callers.add(this.threads.submit(calls));
		}
		long wrong = 0;
		for (Future<Long> caller : callers) {
			wrong += caller.get(30, TimeUnit.SECONDS);
		}
		return wrong;
	}

	@ParameterizedTest
	@CsvSource({ "BEHIND, 0, 20", "BEFORE, 0, 0", "BEHIND, 5, 20", "BEFORE, 5, 0" })
	void manyNewRowsOfOneCallAreHiddenFromTheFirstCallOnly(Mode mode, int existing, int wrong) {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).verification(mode, 10));
		List<Object> ids = new ArrayList<>(LongStream.rangeClosed(1, existing).<Object>mapToObj((id) -> id).toList());
		LongStream.rangeClosed(1, 20).forEach((id) -> {
			ids.add(-id);
			this.rows.insert(-id);
		});
		assertThat(ids.size() - filter.findAll(ids).size()).isEqualTo(wrong);
		assertThat(filter.findAll(ids)).hasSameElementsAs(ids);
		ids.forEach((id) -> assertThat(filter.has(id)).isTrue());
	}

	@ParameterizedTest
	@CsvSource({ "BEHIND, 1", "BEFORE, 0" })
	void rowWhoseLookUpTakesLongerThanACallMayWaitIsHiddenFromTheFirstCallerOnly(Mode mode, int wrong) {
		FilterUnderTest filter = start(
				FilterUnderTest.with(this.rows).verification(mode, 10).inBackground().timeout(Duration.ofMillis(20)));
		this.rows.insert(HIDDEN);
		this.rows.holdLookUps();
		assertThat(wrongAnswers(filter, 50)).isEqualTo(wrong);
		this.rows.goOn();
		Awaitility.await().until(() -> filter.has(HIDDEN));
	}

	@ParameterizedTest
	@CsvSource({ "BEHIND, 1", "BEFORE, 0" })
	void rowsWhoseLookUpsFailAreHiddenFromTheFirstCallerOnly(Mode mode, int wrong) {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).verification(mode, 10));
		this.rows.insert(HIDDEN);
		this.rows.failLookUps(true);
		assertThat(wrongAnswers(filter, 50)).isEqualTo(wrong);
		assertThat(filter.count(Outcome.FALSE_NEGATIVE)).isOne();
		filter.acknowledge();
		filter.pass(Duration.ofMinutes(1));
		this.rows.insert(-2L);
		assertThat(filter.find(-2L)).as("the last look-up has failed").isEqualTo(-2L);
	}

	@ParameterizedTest
	@EnumSource(value = Mode.class, names = { "BEHIND", "BEFORE" })
	void rowWhoseKeyWasAskedForTooOftenJustBeforeItCameIsHiddenForASecond(Mode mode) {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).verification(mode, 10));
		LongStream.range(0, 300).forEach((call) -> assertThat(filter.find(HIDDEN)).isNull());
		this.rows.insert(HIDDEN);
		assertThat(filter.find(HIDDEN)).isNull();
		filter.pass(VerifiedKeys.MOMENT);
		assertThat(wrongAnswers(filter, 50)).isEqualTo((mode == Mode.BEHIND) ? 1 : 0);
	}

	/**
	 * So many new rows at once are a flood: they are found when the filter is loaded
	 * again, which one of them makes it do.
	 */
	@ParameterizedTest
	@CsvSource({ "BEHIND, 2", "BEFORE, 2" })
	void tenThousandNewRowsAtOnceAreHiddenUntilTheFilterIsLoadedAgain(Mode mode, int worst) {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).verification(mode, 10));
		int[] wrong = new int[10_000];
		LongStream.range(0, wrong.length).forEach((row) -> this.rows.insert(-1 - row));
		for (int halfSecond = 0; halfSecond < 4; halfSecond++) {
			for (int row = 0; row < wrong.length; row++) {
				wrong[row] += (filter.find(-1L - row) == null) ? 1 : 0;
			}
			filter.pass(Duration.ofMillis(500));
			filter.supervise();
		}
		assertThat(IntStream.of(wrong).max().orElseThrow()).isBetween(1, worst);
	}

	private static long wrongAnswers(FilterUnderTest filter, int calls) {
		return LongStream.range(0, calls).filter((call) -> filter.find(HIDDEN) == null).count();
	}

	/**
	 * Five keys a second whose look-ups take so long that one connection would not do.
	 */
	@Test
	void slowLookUpsTakeNothingFromTheRate() {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).inBackground());
		for (int second = 0; second < 10; second++) {
			this.rows.holdLookUps();
			List<CompletableFuture<Object>> calls = new ArrayList<>();
			for (int i = 1; i <= 5; i++) {
				long key = -(second * 5 + i);
				calls.add(CompletableFuture.supplyAsync(() -> filter.find(key), this.threads));
			}
			assertThat(calls).allSatisfy((call) -> assertThat(call).succeedsWithin(Duration.ofSeconds(20)).isNull());
			filter.pass(Duration.ofSeconds(1));
			this.rows.goOn();
			int answers = (second + 1) * 5;
			Awaitility.await().until(() -> filter.count(Outcome.LOOKED_UP) == answers);
		}
	}

}
