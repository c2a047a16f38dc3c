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
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import ch.qos.logback.classic.Level;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.guard.FilterUnderTest;
import io.github.bloomguard.guard.GuardExecutor;
import io.github.bloomguard.guard.Rows;
import io.github.bloomguard.testsupport.LogLines;
import io.github.bloomguard.verifying.FloodWatch.Flood;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what a filter does while more absent keys are asked for than it can verify.
 */
@Timeout(60)
class FloodTests {

	private static final long HIDDEN = -1;

	private static final Duration PATIENCE = Duration.ofSeconds(20);

	private static final Duration HALF_A_SECOND = Duration.ofMillis(500);

	private final Rows rows = new Rows.LookedUp();

	private final List<FilterUnderTest> running = new ArrayList<>();

	private long attacked = -1_000_000;

	@AfterEach
	void close() {
		this.rows.goOn();
		this.running.forEach(FilterUnderTest::close);
	}

	private FilterUnderTest start(FilterUnderTest.Setup setup) {
		FilterUnderTest filter = setup.loaded();
		this.running.add(filter);
		filter.supervise();
		return filter;
	}

	private FilterUnderTest start(Mode mode) {
		return start(FilterUnderTest.with(this.rows).verification(mode, 10).timeout(Duration.ofMillis(2)));
	}

	/**
	 * Ask for many keys, each once, for half a second.
	 */
	private void attack(FilterUnderTest filter) {
		LongStream.range(0, 1000).forEach((call) -> assertThat(filter.find(this.attacked--)).isNull());
		filter.pass(HALF_A_SECOND);
		filter.supervise();
	}

	private FilterUnderTest flooded(Mode mode) {
		FilterUnderTest filter = start(mode);
		for (int i = 0; i < 4; i++) {
			attack(filter);
		}
		assertThat(filter.flood()).isNotNull();
		return filter;
	}

	@Test
	void floodIsNoticedAfterASecondAndToldWithWhatItIs() {
		FilterUnderTest filter = start(Mode.BEHIND);
		try (LogLines lines = LogLines.of(FloodWatch.class, Level.INFO)) {
			attack(filter);
			assertThat(filter.flood()).isNull();
			attack(filter);
			assertThat(filter.flood()).isNotNull();
			for (int i = 0; i < 10; i++) {
				attack(filter);
			}
			assertThat(lines.events()).singleElement()
				.satisfies((line) -> assertThat(line.getFormattedMessage())
					.startsWith("The filter 'products' is flooded: 2000 calls a second for absent keys"));
		}
		assertThat(filter.events()).containsOnlyOnce("products flood started").doesNotContain("products flood ended");
		Flood flood = filter.flood();
		assertThat(flood.perSecond()).isEqualTo(2000);
		assertThat(flood.differentKeys()).as("an estimate").isBetween(6_000L, 14_000L);
		assertThat(flood.lookedUp()).isBetween(15L, 40L);
		assertThat(flood.wrong()).isZero();
	}

	@Test
	void floodIsOverTenSecondsAfterItsLastKeyAndItsMemoryIsGivenBack() {
		FilterUnderTest filter = flooded(Mode.BEHIND);
		try (LogLines lines = LogLines.of(FloodWatch.class, Level.INFO)) {
			for (int i = 0; i < 19; i++) {
				calm(filter);
			}
			assertThat(filter.flood()).isNotNull();
			calm(filter);
			assertThat(filter.flood()).isNull();
			assertThat(lines.events()).singleElement()
				.satisfies((line) -> assertThat(line.getFormattedMessage()).matches(
						"The flood of the filter 'products' since .* is over: about .* different keys, .* verified, 0 wrong"));
		}
		assertThat(filter.events()).containsOnlyOnce("products flood ended");
		this.rows.insert(HIDDEN);
		assertThat(filter.find(HIDDEN)).isNull();
		assertThat(filter.find(HIDDEN)).as("as in peace").isEqualTo(HIDDEN);
	}

	private void calm(FilterUnderTest filter) {
		filter.pass(HALF_A_SECOND);
		filter.supervise();
	}

	@Test
	void fewAbsentKeysAreNoFlood() {
		FilterUnderTest filter = start(Mode.BEHIND);
		for (int i = 0; i < 20; i++) {
			LongStream.range(0, 5).forEach((call) -> filter.find(this.attacked--));
			calm(filter);
		}
		for (int i = 0; i < 1000; i++) {
			filter.find(HIDDEN);
		}
		calm(filter);
		calm(filter);
		calm(filter);
		assertThat(filter.flood()).isNull();
		assertThat(filter.events()).noneMatch((event) -> event.contains("flood"));
	}

	@ParameterizedTest
	@EnumSource(value = Mode.class, names = { "BEHIND", "BEFORE" })
	void rowThatIsAskedForAgainInAFloodIsFoundByTheSecondCall(Mode mode) {
		FilterUnderTest filter = flooded(mode);
		LongStream.range(0, 20).forEach((call) -> filter.find(this.attacked--));
		int lookedUp = this.rows.lookUps().size();
		this.rows.insert(HIDDEN);
		assertThat(filter.find(HIDDEN)).isNull();
		assertThat(this.rows.lookUps()).as("the sample is drawn").hasSize(lookedUp);
		LongStream.range(0, 1000).forEach((call) -> filter.find(this.attacked--));
		assertThat(filter.find(HIDDEN)).isEqualTo(HIDDEN);
		assertThat(filter.has(HIDDEN)).isTrue();
		assertThat(filter.flood().wrong()).isOne();
	}

	@ParameterizedTest
	@CsvSource({ "BEHIND, 3", "BEFORE, 3" })
	void hundredRowsThatAreAskedForOnceASecondInAFloodAreHiddenAFewTimes(Mode mode, int worst) {
		FilterUnderTest filter = flooded(mode);
		int[] wrong = new int[100];
		LongStream.range(0, 100).forEach((row) -> this.rows.insert(-1 - row));
		for (int second = 0; second < 5; second++) {
			for (int row = 0; row < wrong.length; row++) {
				wrong[row] += (filter.find((long) -1 - row) == null) ? 1 : 0;
				LongStream.range(0, 50).forEach((call) -> filter.find(this.attacked--));
				filter.pass(Duration.ofMillis(10));
			}
			filter.supervise();
		}
		assertThat(IntStream.of(wrong).max().orElseThrow()).isLessThanOrEqualTo(worst);
		assertThat(LongStream.range(0, 100)).allSatisfy((row) -> assertThat(filter.has(-1 - row)).isTrue());
	}

	/**
	 * The first key that comes again is asked for at once, and the others together a
	 * little later, for which a call waits in an application.
	 */
	@ParameterizedTest
	@EnumSource(value = Mode.class, names = { "BEHIND", "BEFORE" })
	void rowsOfOneCallThatIsMadeAgainInAFloodAreFoundByTheThirdCall(Mode mode) {
		FilterUnderTest filter = flooded(mode);
		LongStream.range(0, 20).forEach((call) -> filter.find(this.attacked--));
		List<Object> ids = LongStream.rangeClosed(1, 20).<Object>mapToObj((id) -> -id).toList();
		ids.forEach(this.rows::insert);
		assertThat(filter.findAll(ids)).isEmpty();
		filter.findAll(ids);
		filter.pass(Duration.ofMillis(20));
		assertThat(filter.findAll(ids)).hasSameElementsAs(ids);
	}

	@Test
	void rowWhoseLookUpTakesLongerThanACallMayWaitInAFloodIsHiddenFromOneCallMore() {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows)
			.verification(Mode.BEHIND, 10)
			.inBackground()
			.timeout(Duration.ofMillis(20)));
		for (int i = 0; i < 4; i++) {
			attack(filter);
		}
		LongStream.range(0, 20).forEach((call) -> filter.find(this.attacked--));
		this.rows.insert(HIDDEN);
		assertThat(filter.find(HIDDEN)).isNull();
		this.rows.holdLookUps();
		assertThat(filter.find(HIDDEN)).isNull();
		filter.pass(HALF_A_SECOND);
		Awaitility.await().until(() -> this.rows.lookUps().contains(HIDDEN));
		this.rows.goOn();
		Awaitility.await().until(() -> filter.has(HIDDEN));
		assertThat(filter.find(HIDDEN)).isEqualTo(HIDDEN);
	}

	/**
	 * A memory of one place forgets each key for the next one.
	 */
	@ParameterizedTest
	@CsvSource({ "BEHIND, 1", "BEFORE, 0" })
	void rowWhoseKeyIsForgottenInAFloodIsHiddenUntilItIsInTheSample(Mode mode, int wrong) {
		FilterUnderTest filter = start(
				FilterUnderTest.with(this.rows).verification(mode, 10).floodMemory(4).timeout(Duration.ofMillis(2)));
		for (int i = 0; i < 4; i++) {
			attack(filter);
		}
		assertThat(filter.flood()).isNotNull();
		this.rows.insert(HIDDEN);
		for (int call = 0; call < 20; call++) {
			LongStream.range(0, 20).forEach((other) -> filter.find(this.attacked--));
			assertThat(filter.find(HIDDEN)).as("call " + call).isNull();
			filter.pass(Duration.ofMillis(100));
		}
		assertThat(this.rows.lookUps()).doesNotContain(HIDDEN);
		filter.pass(HALF_A_SECOND);
		filter.find(this.attacked--);
		for (int call = 0; call < wrong; call++) {
			assertThat(filter.find(HIDDEN)).as("in the sample").isNull();
		}
		assertThat(filter.find(HIDDEN)).isEqualTo(HIDDEN);
	}

	@Test
	void rowThatIsFoundInAFloodIsToldToAllInstancesAndTheFilterIsBelievedLess() {
		FilterUnderTest filter = flooded(Mode.BEHIND);
		FilterUnderTest other = filter.another();
		this.running.add(other);
		this.rows.insert(HIDDEN);
		LongStream.range(0, 20).forEach((call) -> filter.find(this.attacked--));
		assertThat(filter.find(HIDDEN)).isNull();
		assertThat(filter.find(HIDDEN)).isEqualTo(HIDDEN);
		assertThat(other.has(HIDDEN)).isTrue();
		filter.report();
		other.refresh();
		assertThat(filter.beforeUntil()).isNotNull();
		assertThat(other.beforeUntil()).isEqualTo(filter.beforeUntil());
		int calls = this.rows.calls().size();
		for (int i = 0; i < 10; i++) {
			attack(filter);
		}
		assertThat(this.rows.calls().size() - calls).as("in five seconds").isLessThanOrEqualTo(5 * 5 + 5);
	}

	@Test
	void rateIsShownAsASlowSourceLowersItAndAFastOneRaisesIt() {
		FilterUnderTest filter = start(
				FilterUnderTest.with(new SlowRows()).verification(Mode.BEHIND, 10).timeout(Duration.ofMillis(2)));
		assertThat(filter.rates()).isEqualTo(new QuestionRates(10, 10, Duration.ZERO));
		for (int i = 0; i < 4; i++) {
			attack(filter);
		}
		assertThat(filter.rates()).as("nothing was asked for again").isEqualTo(new QuestionRates(5, 5, Duration.ZERO));
		LongStream.range(0, 20).forEach((call) -> filter.find(this.attacked--));
		LongStream.range(0, 2).forEach((call) -> filter.find(HIDDEN));
		assertThat(filter.rates()).isEqualTo(new QuestionRates(5, 50, Duration.ZERO));
		this.slow = filter;
		filter.pass(HALF_A_SECOND);
		LongStream.range(0, 20).forEach((call) -> filter.find(this.attacked--));
		LongStream.range(0, 2).forEach((call) -> filter.find(-2L));
		assertThat(filter.rates()).as("a question takes half a second")
			.isEqualTo(new QuestionRates(2, 2, HALF_A_SECOND));
	}

	/**
	 * The filter whose source takes half a second of its clock for each question,
	 * {@code null} if they take no time.
	 */
	private @Nullable FilterUnderTest slow;

	private void takeTime() {
		if (this.slow != null) {
			this.slow.passUnseen(HALF_A_SECOND);
		}
	}

	private final class SlowRows extends Rows.LookedUp {

		@Override
		public Optional<Boolean> contains(List<? extends @Nullable Object> key) {
			takeTime();
			return super.contains(key);
		}

		@Override
		public List<Optional<Boolean>> containsEach(List<? extends List<? extends @Nullable Object>> keys) {
			takeTime();
			return super.containsEach(keys);
		}

	}

	@Test
	void fewCallersWaitInAFlood() {
		FilterUnderTest filter = start(
				FilterUnderTest.with(this.rows).verification(Mode.BEHIND, 10).inBackground().timeout(PATIENCE));
		for (int i = 0; i < 4; i++) {
			attack(filter);
		}
		int asked = 2 * Verification.MAX_WAITING;
		this.rows.holdLookUps();
		LongStream.range(0, asked).forEach((key) -> filter.find(-2_000_000 - key));
		List<CompletableFuture<Object>> calls = LongStream.range(0, asked)
			.mapToObj((key) -> CompletableFuture.supplyAsync(() -> filter.find(-2_000_000 - key), new GuardExecutor()))
			.toList();
		Awaitility.await()
			.until(() -> calls.stream().filter((call) -> !call.isDone()).count() == Verification.MAX_WAITING);
		this.rows.goOn();
		filter.pass(HALF_A_SECOND);
		filter.pass(HALF_A_SECOND);
		assertThat(calls).allSatisfy((call) -> assertThat(call).succeedsWithin(PATIENCE).isNull());
	}

	@Test
	void attackerThatRepeatsHisKeysThinsTheSampleOnly() {
		FilterUnderTest filter = flooded(Mode.BEHIND);
		filter.pass(HALF_A_SECOND);
		int lookedUp = this.rows.lookUps().size();
		int asked = this.rows.questions();
		for (int second = 0; second < 10; second++) {
			for (int i = 0; i < 100; i++) {
				LongStream.range(0, 100).forEach((key) -> filter.find(-2_000_000 - key));
				filter.pass(Duration.ofMillis(10));
			}
			filter.supervise();
		}
		assertThat(this.rows.questions() - asked).as("in ten seconds").isLessThan(10 * (5 + 50));
		assertThat(this.rows.lookUps().size() - lookedUp).as("each key every five seconds").isLessThan(400);
		this.rows.insert(HIDDEN);
		assertThat(filter.find(HIDDEN)).isNull();
		filter.pass(HALF_A_SECOND);
		assertThat(filter.find(HIDDEN)).isEqualTo(HIDDEN);
	}

	/**
	 * One question in two seconds, for 500 keys, and each of his 3,000 keys twice in
	 * four.
	 */
	@Test
	void attackerThatRepeatsMoreKeysThanCanBeLookedUpLeavesASampleOfTheseForOthers() {
		Rows slow = new SlowRows();
		FilterUnderTest filter = start(
				FilterUnderTest.with(slow).verification(Mode.BEHIND, 1).timeout(Duration.ofMillis(2)));
		for (int i = 0; i < 4; i++) {
			attack(filter);
		}
		this.slow = filter;
		Random random = new Random(62);
		int asked = 0;
		boolean found = false;
		for (int halfSecond = 0; halfSecond < 200 && !found; halfSecond++) {
			int turn = random.nextInt(750);
			for (int i = 0; i < 750; i++) {
				filter.find(-2_000_000L - (halfSecond % 4) * 750 - i);
				if (i == turn) {
					asked++;
					found = filter.find(HIDDEN) != null;
				}
			}
			filter.pass(HALF_A_SECOND);
			filter.supervise();
			if (halfSecond == 8) {
				slow.insert(HIDDEN);
			}
		}
		assertThat(found).isTrue();
		assertThat(asked).isBetween(10, 60);
	}

	@Test
	void callsThatAreTheLookUpStayBoundedInAFlood() {
		Rows methods = new Rows();
		FilterUnderTest filter = start(
				FilterUnderTest.with(methods).verification(Mode.BEFORE, 10).timeout(Duration.ofMillis(2)));
		for (int i = 0; i < 6; i++) {
			attack(filter);
		}
		int calls = methods.calls().size();
		for (int second = 0; second < 10; second++) {
			for (int i = 0; i < 100; i++) {
				LongStream.range(0, 20).forEach((key) -> filter.find(-2_000_000 - key));
				LongStream.range(0, 20).forEach((call) -> filter.find(this.attacked--));
				filter.pass(Duration.ofMillis(10));
			}
			filter.supervise();
		}
		assertThat(methods.calls().size() - calls).isLessThanOrEqualTo(10 * 10 + 20);
		methods.insert(HIDDEN);
		int wrong = 0;
		while (filter.find(HIDDEN) == null) {
			wrong++;
			filter.pass(HALF_A_SECOND);
		}
		assertThat(wrong).isLessThanOrEqualTo(3);
	}

}
