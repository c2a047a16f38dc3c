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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiPredicate;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.Membership;
import io.github.bloomguard.call.Answer;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.guard.FilterUnderTest;
import io.github.bloomguard.guard.GuardExecutor;
import io.github.bloomguard.guard.Rows;
import io.github.bloomguard.statistics.FilterStatistics.Outcome;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for what a filter finds out about its absent answers: how often, when, and who
 * waits for it.
 */
class VerificationTests {

	private static final long HIDDEN = -1;

	private final Rows rows = new Rows.LookedUp();

	private final List<FilterUnderTest> running = new ArrayList<>();

	@AfterEach
	void close() {
		this.rows.goOn();
		this.running.forEach(FilterUnderTest::close);
	}

	private FilterUnderTest start(FilterUnderTest.Setup setup) {
		FilterUnderTest filter = setup.loaded();
		this.running.add(filter);
		return filter;
	}

	private FilterUnderTest start() {
		return start(FilterUnderTest.with(this.rows));
	}

	private FilterUnderTest startWithMethodsOnly() {
		return start(FilterUnderTest.with(new Rows()));
	}

	private static List<Object> absent(int count) {
		return absent(1, count);
	}

	private static List<Object> absent(int from, int to) {
		return LongStream.rangeClosed(from, to).<Object>mapToObj((id) -> -id).toList();
	}

	@Test
	void eachAbsentAnswerIsLookedUpInPeaceAndNoMethodIsCalled() {
		FilterUnderTest filter = start();
		absent(5).forEach((key) -> assertThat(filter.find(key)).isNull());
		assertThat(this.rows.lookUps()).isEqualTo(absent(5));
		assertThat(this.rows.calls()).isEmpty();
		assertThat(filter.count(Outcome.LOOKED_UP)).isEqualTo(5);
		assertThat(filter.count(Outcome.FALSE_NEGATIVE)).isZero();
	}

	@Test
	void sampleIsLookedUpInAFloodAsLargeAsTheRateAllows() {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).verification(Mode.BEHIND, 7));
		absent(1000).forEach((key) -> assertThat(filter.find(key)).isNull());
		assertThat(this.rows.lookUps()).hasSize(7);
		filter.pass(Duration.ofSeconds(1));
		absent(1001, 2000).forEach((key) -> assertThat(filter.find(key)).isNull());
		assertThat(this.rows.lookUps()).hasSize(14);
		filter.pass(Duration.ofHours(1));
		absent(2001, 3000).forEach((key) -> assertThat(filter.find(key)).isNull());
		assertThat(this.rows.lookUps()).as("an hour of peace saves up for a second").hasSize(21);
	}

	@ParameterizedTest
	@ValueSource(doubles = { 0.5, 0.1 })
	void rateBelowOneASecondIsKeptTo(double rate) {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).verification(Mode.BEHIND, rate));
		absent(10).forEach(filter::find);
		assertThat(this.rows.lookUps()).hasSize(1);
		filter.pass(Duration.ofMillis((long) (900 / rate)));
		absent(11, 20).forEach(filter::find);
		assertThat(this.rows.lookUps()).hasSize(1);
		filter.pass(Duration.ofMillis((long) (100 / rate)));
		absent(21, 30).forEach(filter::find);
		assertThat(this.rows.lookUps()).hasSize(2);
	}

	@Test
	void rowThatAnAbsentAnswerHasHiddenIsFoundByTheNextCall() {
		FilterUnderTest filter = start();
		this.rows.insert(HIDDEN);
		assertThat(filter.find(HIDDEN)).isNull();
		assertThat(filter.has(HIDDEN)).isTrue();
		assertThat(filter.find(HIDDEN)).isEqualTo(HIDDEN);
		assertThat(filter.count(Outcome.FALSE_NEGATIVE)).isOne();
	}

	@Test
	void compositeKeyIsLookedUpAndAddedAsOneKey() {
		FilterUnderTest filter = start();
		List<Object> key = List.of(HIDDEN, "shop");
		this.rows.insert(key);
		assertThat(filter.find(key)).isNull();
		assertThat(this.rows.lookUps()).containsOnly(key);
		assertThat(filter.find(key)).isEqualTo(key);
	}

	@Test
	void noRowIsHiddenWhereAnswersAreVerifiedBeforeTheyAreGiven() {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).verification(Mode.BEFORE, 10));
		absent(10).forEach((key) -> {
			this.rows.insert(key);
			assertThat(filter.find(key)).isEqualTo(key);
			assertThat(filter.has(key)).isTrue();
		});
	}

	@Test
	void callsGoThroughWithinTheRateWhereAnswersAreVerifiedBeforeTheyAreGiven() {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).verification(Mode.BEFORE, 5));
		absent(50).forEach((key) -> assertThat(filter.find(key)).isNull());
		assertThat(this.rows.calls()).isEqualTo(absent(5));
		filter.pass(Duration.ofSeconds(1));
		absent(51, 100).forEach((key) -> assertThat(filter.find(key)).isNull());
		assertThat(this.rows.calls()).hasSize(10);
	}

	@Test
	void callsThatGoThroughAreCountedAmongThoseForAbsentKeys() {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).verification(Mode.BEFORE, 5));
		absent(20).forEach(filter::find);
		assertThat(filter.count(Outcome.ABSENT)).isEqualTo(20);
		assertThat(filter.count(Outcome.LET_THROUGH)).isEqualTo(5);
		filter.pass(Duration.ofSeconds(1));
		filter.findAll(absent(21, 30));
		assertThat(filter.count(Outcome.ABSENT)).isEqualTo(30);
		assertThat(filter.count(Outcome.LET_THROUGH)).isEqualTo(15);
		FilterUnderTest behind = start();
		absent(5).forEach(behind::find);
		assertThat(behind.count(Outcome.LET_THROUGH)).isZero();
		FilterUnderTest unproven = start(FilterUnderTest.with(this.rows).requiredCalls(100));
		absent(5).forEach(unproven::find);
		assertThat(unproven.count(Outcome.LET_THROUGH)).isEqualTo(5);
	}

	@Test
	void wrongAnswersThatAreAcknowledgedInOneInstanceAreSoInAll() {
		FilterUnderTest filter = start();
		FilterUnderTest other = filter.another();
		this.running.add(other);
		this.rows.insert(HIDDEN);
		filter.find(HIDDEN);
		filter.supervise();
		assertThat(filter.unacknowledged()).isOne();
		other.refresh();
		other.acknowledge();
		filter.supervise();
		filter.supervise();
		assertThat(filter.unacknowledged()).isZero();
		assertThat(filter.count(Outcome.FALSE_NEGATIVE)).isOne();
		this.rows.insert(-2L);
		filter.find(-2L);
		filter.supervise();
		filter.supervise();
		assertThat(filter.unacknowledged()).as("found since").isOne();
	}

	@Test
	void nothingIsLookedUpWhereThatIsSwitchedOff() {
		for (FilterUnderTest.Setup setup : List.of(FilterUnderTest.with(this.rows).verification(Mode.OFF, 10),
				FilterUnderTest.with(this.rows).verification(Mode.BEHIND, 0),
				FilterUnderTest.with(this.rows).verification(Mode.BEFORE, 0))) {
			FilterUnderTest filter = start(setup);
			absent(100).forEach((key) -> {
				this.rows.insert(key);
				assertThat(filter.find(key)).isNull();
			});
			absent(100).forEach(this.rows::delete);
		}
		assertThat(this.rows.lookUps()).isEmpty();
		assertThat(this.rows.calls()).isEmpty();
	}

	@Test
	void keysThatTheFilterLetsPassAreNotLookedUp() {
		FilterUnderTest filter = start();
		LongStream.rangeClosed(1, 100).forEach((id) -> assertThat(filter.find(id)).isEqualTo(id));
		assertThat(this.rows.lookUps()).isEmpty();
		assertThat(this.rows.calls()).hasSize(100);
	}

	@Test
	void methodIsCalledBehindTheAnswerWhereNoSourceCanTell() {
		Rows methods = new Rows();
		FilterUnderTest filter = start(FilterUnderTest.with(methods));
		assertThat(filter.find(-2L)).isNull();
		methods.insert(HIDDEN);
		assertThat(filter.find(HIDDEN)).isNull();
		assertThat(methods.calls()).containsExactly(-2L, HIDDEN);
		assertThat(filter.find(HIDDEN)).isEqualTo(HIDDEN);
		assertThat(filter.count(Outcome.FALSE_NEGATIVE)).isOne();
	}

	@ParameterizedTest
	@ValueSource(booleans = { true, false })
	void lookUpThatFailsProvesNothingAndTheNextCallFindsOut(boolean telling) {
		Rows rows = telling ? this.rows : new Rows();
		FilterUnderTest filter = start(FilterUnderTest.with(rows));
		rows.failFor(HIDDEN);
		assertThat(filter.find(HIDDEN)).isNull();
		assertThat(filter.count(Outcome.LOOKED_UP)).isZero();
		assertThatIllegalStateException().as("of the method").isThrownBy(() -> filter.find(HIDDEN));
		assertThat(filter.count(Outcome.LOOKED_UP)).isZero();
		assertThat(filter.count(Outcome.FALSE_NEGATIVE)).isZero();
		assertThat(filter.has(HIDDEN)).isFalse();
		assertThat(filter.find(-2L)).isNull();
		assertThat(filter.count(Outcome.LOOKED_UP)).isOne();
	}

	@Test
	void callsGoThroughWhileNoThreadCanBeStarted() {
		AtomicBoolean exhausted = new AtomicBoolean();
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).executor((task) -> {
			if (exhausted.get()) {
				throw new RejectedExecutionException("No thread can be started");
			}
			task.run();
		}));
		exhausted.set(true);
		for (int i = 0; i < 2 * SourceLookUps.MAX_CALLS; i++) {
			assertThat(filter.find(HIDDEN)).isNull();
		}
		assertThat(this.rows.calls()).hasSize(2 * SourceLookUps.MAX_CALLS);
		assertThat(this.rows.lookUps()).isEmpty();
		exhausted.set(false);
		filter.pass(VerifiedKeys.LATELY.plusSeconds(1));
		assertThat(filter.find(HIDDEN)).isNull();
		assertThat(this.rows.lookUps()).containsExactly(HIDDEN);
	}

	static Stream<Named<BiPredicate<FilterUnderTest, Object>>> questions() {
		return Stream.of(question("call", (filter, key) -> filter.find(key) != null),
				question("mightContain", (filter, key) -> filter.questions().mightContain(FilterUnderTest.NAME, key)),
				question("membership", (filter,
						key) -> filter.questions().membership(FilterUnderTest.NAME, key) != Membership.ABSENT));
	}

	private static Named<BiPredicate<FilterUnderTest, Object>> question(String name,
			BiPredicate<FilterUnderTest, Object> question) {
		return Named.of(name, question);
	}

	@ParameterizedTest
	@MethodSource("questions")
	void callersThatAskForAKeyWhileItIsLookedUpAreToldWhatIsFound(BiPredicate<FilterUnderTest, Object> question) {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).inBackground());
		this.rows.insert(HIDDEN);
		this.rows.hold();
		assertThat(filter.find(HIDDEN)).isNull();
		Awaitility.await().until(() -> this.rows.lookUps().contains(HIDDEN));
		CompletableFuture<Boolean> other = CompletableFuture.supplyAsync(() -> question.test(filter, HIDDEN),
				new GuardExecutor());
		Awaitility.await().during(Duration.ofMillis(50)).until(() -> !other.isDone());
		this.rows.goOn();
		assertThat(other.join()).isTrue();
	}

	@Test
	void callersThatAskForAKeyWhileItIsLookedUpWaitNoLongerThanForTheFilterAndFindOutThemselves() {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).inBackground().timeout(Duration.ofMillis(20)));
		this.rows.insert(HIDDEN);
		this.rows.holdLookUps();
		assertThat(filter.find(HIDDEN)).isNull();
		Awaitility.await().until(() -> this.rows.lookUps().contains(HIDDEN));
		assertThat(CompletableFuture.supplyAsync(() -> filter.find(HIDDEN), new GuardExecutor()))
			.succeedsWithin(Duration.ofSeconds(20))
			.isEqualTo(HIDDEN);
		assertThat(this.rows.calls()).containsExactly(HIDDEN);
	}

	@Test
	void rowThatCameWhileItsKeyWasLookedUpInVainIsFound() {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).inBackground());
		this.rows.hold();
		assertThat(filter.find(HIDDEN)).isNull();
		Awaitility.await().until(() -> this.rows.lookUps().contains(HIDDEN));
		CompletableFuture<Object> late = CompletableFuture.supplyAsync(() -> filter.find(HIDDEN), new GuardExecutor());
		Awaitility.await().during(Duration.ofMillis(50)).until(() -> !late.isDone());
		this.rows.insert(HIDDEN);
		this.rows.goOn();
		assertThat(late.join()).isNull();
		Awaitility.await().until(() -> filter.has(HIDDEN));
	}

	@Test
	void keyThatWasAddedWhileItWasLookedUpIsNoWrongAnswer() {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).inBackground());
		this.rows.insert(HIDDEN);
		this.rows.hold();
		assertThat(filter.find(HIDDEN)).isNull();
		Awaitility.await().until(() -> this.rows.lookUps().contains(HIDDEN));
		filter.written().add(List.of(HIDDEN));
		this.rows.goOn();
		Awaitility.await().until(() -> filter.count(Outcome.LOOKED_UP) == 1);
		Awaitility.await().during(Duration.ofMillis(50)).until(() -> filter.count(Outcome.FALSE_NEGATIVE) == 0);
	}

	@Test
	void onlyAFewKeysAreLookedUpAtTheSameTimeAndCallsForOthersGoThrough() {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).verification(Mode.BEHIND, 1000).inBackground());
		this.rows.holdLookUps();
		absent(100).forEach((key) -> assertThat(filter.find(key)).isNull());
		Awaitility.await().until(() -> this.rows.lookUps().size() == SourceLookUps.MAX_CALLS);
		this.rows.goOn();
		assertThat(this.rows.lookUps()).containsExactlyInAnyOrderElementsOf(absent(SourceLookUps.MAX_CALLS));
		assertThat(this.rows.calls()).hasSize(100 - SourceLookUps.MAX_CALLS);
		Awaitility.await().until(() -> filter.count(Outcome.LOOKED_UP) == 100);
		filter.find(-200L);
		Awaitility.await().until(() -> this.rows.lookUps().contains(-200L));
	}

	@Test
	void questionIsVerifiedBehindItsAnswer() {
		FilterUnderTest filter = start();
		this.rows.insert(HIDDEN);
		assertThat(filter.questions().mightContain(FilterUnderTest.NAME, HIDDEN)).isFalse();
		assertThat(filter.questions().mightContain(FilterUnderTest.NAME, HIDDEN)).isTrue();
		assertThat(filter.questions().membership(FilterUnderTest.NAME, HIDDEN)).isEqualTo(Membership.MAYBE);
	}

	@ParameterizedTest
	@ValueSource(ints = { 0, 100 })
	void questionIsAnsweredWhenTheSourceHasBeenAskedWhereThatComesBefore(int requiredCalls) {
		FilterUnderTest filter = start(
				FilterUnderTest.with(this.rows).verification(Mode.BEFORE, 10).requiredCalls(requiredCalls));
		this.rows.insert(HIDDEN);
		assertThat(filter.questions().mightContain(FilterUnderTest.NAME, -2L)).isFalse();
		assertThat(filter.questions().mightContain(FilterUnderTest.NAME, HIDDEN)).isTrue();
		this.rows.insert(-3L);
		assertThat(filter.questions().membership(FilterUnderTest.NAME, -3L)).isNotEqualTo(Membership.ABSENT);
		assertThat(this.rows.lookUps()).contains(-2L, HIDDEN);
		filter.report();
		assertThat(filter.proof().absent()).as("what the source does not have proves nothing").isZero();
	}

	@Test
	void questionThatNoSourceCanAnswerIsUnknownWhereItComesBefore() {
		FilterUnderTest filter = start(FilterUnderTest.with(new Rows()).verification(Mode.BEFORE, 10));
		assertThat(filter.questions().membership(FilterUnderTest.NAME, HIDDEN)).isEqualTo(Membership.UNKNOWN);
	}

	@Test
	void questionAboutARowIsNotHiddenByAFilterThatIsNotProven() {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).requiredCalls(100));
		this.rows.insert(HIDDEN);
		assertThat(filter.questions().mightContain(FilterUnderTest.NAME, HIDDEN)).isFalse();
		assertThat(filter.questions().mightContain(FilterUnderTest.NAME, HIDDEN)).isTrue();
		assertThat(filter.questions().membership(FilterUnderTest.NAME, HIDDEN)).isEqualTo(Membership.UNKNOWN);
	}

	@Test
	void shadowModeReportsAndAddsWithoutLookUps() {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).mode(FilterMode.SHADOW));
		this.rows.insert(HIDDEN);
		assertThat(filter.find(HIDDEN)).isEqualTo(HIDDEN);
		assertThat(filter.has(HIDDEN)).isTrue();
		assertThat(this.rows.calls()).containsExactly(HIDDEN);
		assertThat(filter.count(Outcome.FALSE_NEGATIVE)).isOne();
	}

	@Test
	void allInstancesVerifyBeforeTheyAnswerForTenMinutesAfterOneWasWrong() {
		FilterUnderTest filter = start();
		FilterUnderTest other = filter.another();
		this.running.add(other);
		this.rows.insert(HIDDEN);
		assertThat(filter.find(HIDDEN)).isNull();
		this.rows.insert(-2L);
		assertThat(filter.find(-2L)).as("at once in this instance").isEqualTo(-2L);
		filter.report();
		other.refresh();
		this.rows.insert(-3L);
		assertThat(other.find(-3L)).as("at the next refresh in the others").isEqualTo(-3L);
		other.report();
		other.pass(Duration.ofMinutes(10));
		this.rows.insert(-4L);
		assertThat(other.find(-4L)).as("behind the answer again").isNull();
		assertThat(other.find(-4L)).isEqualTo(-4L);
	}

	@ParameterizedTest
	@EnumSource(value = Mode.class, names = { "BEHIND", "BEFORE" })
	void callsVerifyTheAnswersWhereRowsDependOnTheCaller(Mode mode) {
		this.rows.dependOnCaller();
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).verification(mode, 10));
		this.rows.insertForCallers(HIDDEN);
		assertThat(filter.find(HIDDEN)).isEqualTo(HIDDEN);
		assertThat(filter.find(HIDDEN)).isEqualTo(HIDDEN);
		assertThat(this.rows.calls()).containsExactly(HIDDEN, HIDDEN);
	}

	@Test
	void manyKeysOfOneCallAreOneQuestion() {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).verification(Mode.BEHIND, 2));
		assertThat(filter.findAll(absent(20))).isEmpty();
		assertThat(filter.findAll(List.of(1L, -101L, -102L))).containsExactly(1L);
		assertThat(this.rows.questions()).isEqualTo(2);
		assertThat(this.rows.lookUps()).hasSize(22).contains(-1L, -20L, -101L, -102L);
		assertThat(this.rows.calls()).as("by nobody for an absent key").containsExactly(List.of(1L));
		assertThat(filter.findAll(List.of(-201L, -202L))).isEmpty();
		assertThat(this.rows.questions()).as("the rate is spent").isEqualTo(2);
		assertThat(filter.count(Outcome.LOOKED_UP)).isEqualTo(22);
	}

	@Test
	void keysOfOneCallOfWhichNoSourceCanTellAreAskedForTogetherAndOneByOneOnlyIfThereIsOne() {
		Rows methods = new Rows();
		FilterUnderTest filter = start(FilterUnderTest.with(methods));
		assertThat(filter.findAll(absent(3))).isEmpty();
		assertThat(methods.calls()).containsExactly(absent(3));
		methods.insert(-5L);
		assertThat(filter.findAll(List.of(-4L, -5L))).isEmpty();
		assertThat(methods.calls().subList(1, 4)).containsExactly(List.of(-4L, -5L), List.of(-4L), List.of(-5L));
		assertThat(filter.findAll(List.of(-4L, -5L))).containsExactly(-5L);
		assertThat(filter.count(Outcome.FALSE_NEGATIVE)).isOne();
	}

	@Test
	void manyKeysGoThroughAsOneQuestionWhereAnswersAreVerifiedBeforeTheyAreGiven() {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).verification(Mode.BEFORE, 1));
		this.rows.insert(-3L);
		assertThat(filter.findAll(List.of(-1L, 1L, -2L, -3L))).containsExactly(1L, -3L);
		assertThat(filter.has(-3L)).as("the source tells which it was").isTrue();
		assertThat(filter.has(-2L)).isFalse();
		assertThat(filter.count(Outcome.FALSE_NEGATIVE)).isOne();
		assertThat(filter.findAll(List.of(-5L, 1L, -6L))).as("the rate is spent").containsExactly(1L);
		assertThat(this.rows.calls()).containsExactly(List.of(-1L, 1L, -2L, -3L), List.of(1L));
	}

	@Test
	void keyThatIsWrittenTwiceIsAskedForOnce() {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows));
		this.rows.insert(HIDDEN);
		assertThat(filter.findAll(List.of(HIDDEN, -2L, HIDDEN))).isEmpty();
		assertThat(this.rows.lookUps().subList(0, 2)).containsExactlyInAnyOrder(HIDDEN, -2L);
		assertThat(filter.findAll(List.of(HIDDEN, -2L, HIDDEN))).containsExactly(HIDDEN, HIDDEN);
	}

	@Test
	void keyThatIsAskedForAgainAndAgainTakesNothingFromOthers() {
		FilterUnderTest filter = start();
		for (int i = 0; i < 100; i++) {
			assertThat(filter.find(-2L)).isNull();
		}
		assertThat(this.rows.lookUps()).as("once, and as often as the rate again").hasSize(11).containsOnly(-2L);
		absent(11).stream().skip(2).forEach((key) -> {
			this.rows.insert(key);
			assertThat(filter.find(key)).isNull();
			assertThat(filter.find(key)).isEqualTo(key);
			filter.acknowledge();
		});
	}

	@Test
	void allOfTheRateIsThereWhereTheRecordWasReadAWhileAgo() {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).verification(Mode.BEFORE, 10));
		filter.passUnseen(Duration.ofMillis(900));
		absent(10).forEach((key) -> assertThat(filter.find(key)).isNull());
		assertThat(this.rows.calls()).isEqualTo(absent(10));
	}

	@Test
	void rowThatCameSinceItsKeyWasLookedUpIsFoundByTheNextCall() {
		FilterUnderTest filter = start();
		absent(9).forEach((key) -> assertThat(filter.find(key)).isNull());
		this.rows.insert(HIDDEN);
		assertThat(filter.find(HIDDEN)).isNull();
		assertThat(filter.find(HIDDEN)).isEqualTo(HIDDEN);
	}

	@Test
	void callIsToldWhatWasFoundAMomentAgoWhileTheRateIsSpent() {
		FilterUnderTest filter = start();
		for (int i = 0; i < 11; i++) {
			filter.find(HIDDEN);
		}
		this.rows.insert(HIDDEN);
		assertThat(filter.find(HIDDEN)).isNull();
		assertThat(this.rows.lookUps()).hasSize(11);
		filter.pass(VerifiedKeys.MOMENT);
		assertThat(filter.find(HIDDEN)).isNull();
		assertThat(filter.find(HIDDEN)).isEqualTo(HIDDEN);
	}

	@Test
	void absenceIsAFactOfTheSourceNotOfACall() {
		FilterUnderTest filter = start();
		assertThat(confirmsAbsence(filter, -2L)).isTrue();
		this.rows.insert(HIDDEN);
		assertThat(confirmsAbsence(filter, HIDDEN)).isFalse();
		this.rows.failFor(-3L);
		assertThat(confirmsAbsence(filter, -3L)).isFalse();
		assertThat(startWithMethodsOnly().guard().confirmsAbsence(HIDDEN).await()).as("nothing can tell").isTrue();
		this.rows.dependOnCaller();
		assertThat(start().guard().confirmsAbsence(-2L).await()).as("another caller may see it").isFalse();
	}

	private static boolean confirmsAbsence(FilterUnderTest filter, long key) {
		Answer<Boolean> answer = filter.guard().confirmsAbsence(key);
		filter.pass(Duration.ofMillis(20));
		return answer.await();
	}

	@Test
	void lookUpThatTakesTooLongDoesNotConfirmAbsence() {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).inBackground().timeout(Duration.ofMillis(20)));
		this.rows.hold();
		assertThat(CompletableFuture.supplyAsync(() -> filter.guard().confirmsAbsence(HIDDEN).await(),
				new GuardExecutor()))
			.succeedsWithin(Duration.ofSeconds(20))
			.isEqualTo(false);
	}

}
