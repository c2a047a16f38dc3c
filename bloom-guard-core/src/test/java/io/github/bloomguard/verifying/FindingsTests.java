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
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

import ch.qos.logback.classic.Level;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.Membership;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.guard.FilterUnderTest;
import io.github.bloomguard.guard.Rows;
import io.github.bloomguard.logging.LogFields;
import io.github.bloomguard.statistics.FilterStatistics.Outcome;
import io.github.bloomguard.testsupport.LogLines;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what follows from a row that is found although its key was called absent.
 */
class FindingsTests {

	private static final long HIDDEN = -1;

	private final Rows rows = new Rows.LookedUp();

	private final List<FilterUnderTest> running = new ArrayList<>();

	@AfterEach
	void close() {
		this.running.forEach(FilterUnderTest::close);
	}

	private FilterUnderTest.Setup with() {
		return FilterUnderTest.with(this.rows);
	}

	private FilterUnderTest start(FilterUnderTest.Setup setup) {
		FilterUnderTest filter = setup.loaded();
		this.running.add(filter);
		return filter;
	}

	private FilterUnderTest another(FilterUnderTest filter) {
		FilterUnderTest other = filter.another();
		this.running.add(other);
		return other;
	}

	/**
	 * Let a row be hidden by an absent answer, behind which it is found.
	 */
	private void beWrong(FilterUnderTest filter, Object key) {
		this.rows.insert(key);
		filter.find(key);
		assertThat(filter.has(key)).isTrue();
		filter.report();
	}

	@Test
	void wrongAnswerIsCountedAndToldOnceWithTheShapeOfTheKey() {
		FilterUnderTest filter = start(with());
		try (LogLines lines = LogLines.of(Findings.class, Level.DEBUG)) {
			beWrong(filter, "sku-4711");
			filter.find("sku-4711");
			assertThat(filter.count(Outcome.FALSE_NEGATIVE)).isOne();
			assertThat(filter.events()).containsOnlyOnce("products false negative").contains("products added 1");
			assertThat(lines.events()).filteredOn((event) -> event.getLevel() == Level.ERROR)
				.singleElement()
				.satisfies((event) -> {
					assertThat(event.getFormattedMessage())
						.contains("'products' called a key absent, and there is such a row", "like \"aaa-9999\"")
						.doesNotContain("sku");
					assertThat(event.getMDCPropertyMap()).isEqualTo(Map.of(LogFields.FILTER, "products"));
				});
			assertThat(lines.lines()).anyMatch((line) -> line.contains("'sku-4711'"));
		}
	}

	@Test
	void filterThatWasWrongIsBelievedLessForTenMinutesAfterTheLastWrongAnswer() {
		FilterUnderTest filter = start(with());
		assertThat(filter.beforeUntil()).isNull();
		beWrong(filter, HIDDEN);
		assertThat(filter.beforeUntil()).isEqualTo(filter.now().plus(Duration.ofMinutes(10)));
		assertThat(filter.doubt().wrong()).isOne();
		filter.pass(Duration.ofMinutes(9));
		beWrong(filter, -2L);
		assertThat(filter.beforeUntil()).isEqualTo(filter.now().plus(Duration.ofMinutes(10)));
		assertThat(filter.doubt().wrong()).isEqualTo(2);
		filter.pass(Duration.ofMinutes(10));
		assertThat(filter.beforeUntil()).isNull();
		assertThat(filter.state()).as("it went on answering").isEqualTo(FilterState.READY);
	}

	@Test
	void filterThatWasWrongIsLoadedAgainByOneInstance() {
		FilterUnderTest filter = start(with());
		FilterUnderTest other = another(filter);
		String former = filter.generation();
		filter.pass(Duration.ofMinutes(1));
		beWrong(filter, HIDDEN);
		filter.supervise();
		filter.supervise();
		other.pass(Duration.ofMillis(1));
		other.supervise();
		assertThat(this.rows.scans()).isEqualTo(2);
		assertThat(filter.generation()).isNotEqualTo(former).isEqualTo(other.generation());
		assertThat(filter.check(HIDDEN).membership()).isEqualTo(Membership.MAYBE);
	}

	@Test
	void filterThatIsWrongAgainIsLoadedAgainAfterAPauseThatGrows() {
		FilterUnderTest filter = start(with());
		filter.pass(Duration.ofMinutes(1));
		beWrong(filter, HIDDEN);
		filter.pass(Duration.ofMinutes(1));
		filter.supervise();
		assertThat(this.rows.scans()).isEqualTo(2);
		filter.pass(Duration.ofSeconds(1));
		beWrong(filter, -2L);
		filter.supervise();
		assertThat(this.rows.scans()).as("it had been wrong for a minute").isEqualTo(2);
		filter.pass(Duration.ofMinutes(1));
		filter.supervise();
		assertThat(this.rows.scans()).isEqualTo(3);
	}

	@Test
	void doubtEndsInAllInstancesWhenItIsAcknowledged() {
		FilterUnderTest filter = start(with());
		FilterUnderTest other = another(filter);
		beWrong(filter, HIDDEN);
		other.refresh();
		assertThat(other.beforeUntil()).isNotNull();
		filter.acknowledge();
		other.refresh();
		assertThat(filter.beforeUntil()).isNull();
		assertThat(other.beforeUntil()).isNull();
		assertThat(filter.doubt().wrong()).as("what has happened is not forgotten").isOne();
	}

	@Test
	void rowThatIsGoneWhenItIsLookedForAgainIsNoWrongAnswer() {
		AtomicReference<Runnable> meanwhile = new AtomicReference<>(() -> {
		});
		FilterUnderTest filter = start(with().barrier(() -> {
			meanwhile.get().run();
			return CompletableFuture.completedFuture(true);
		}));
		this.rows.insert(HIDDEN);
		verify(filter, HIDDEN, Decision.ABSENT);
		assertThat(filter.count(Outcome.FALSE_NEGATIVE)).isOne();
		filter.acknowledge();
		Decision verdict = filter.check(-2L);
		this.rows.insert(-2L);
		meanwhile.set(() -> this.rows.delete(-2L));
		verify(filter, -2L, verdict);
		assertThat(filter.count(Outcome.FALSE_NEGATIVE)).isOne();
		assertThat(filter.has(-2L)).isFalse();
	}

	private static void verify(FilterUnderTest filter, Object key, Decision verdict) {
		Objects.requireNonNull(filter.guard().draw(key, verdict))
			.stands(() -> CompletableFuture.completedFuture(false))
			.await();
	}

	@Test
	void keyThatIsFoundIsOnlyAddedWhereACatchUpBringsKeysLate() {
		FilterUnderTest filter = start(with().grace(Duration.ofSeconds(10)));
		this.rows.insert(HIDDEN);
		assertThat(filter.find(HIDDEN)).isNull();
		assertThat(filter.has(HIDDEN)).isTrue();
		filter.report();
		assertThat(filter.count(Outcome.FALSE_NEGATIVE)).isZero();
		assertThat(filter.beforeUntil()).isNull();
		filter.supervise();
		assertThat(this.rows.scans()).isOne();
	}

	@Test
	void keyThatIsFoundIsOnlyAddedWhileTheChangeLogIsNotReadThatFar() {
		AtomicReference<Boolean> passed = new AtomicReference<>(true);
		FilterUnderTest filter = start(with().barrier(() -> CompletableFuture.completedFuture(passed.get())));
		this.rows.insert(HIDDEN);
		Decision before = filter.check(HIDDEN);
		assertThat(before).isEqualTo(Decision.ABSENT);
		passed.set(false);
		filter.guard().loaded(HIDDEN, Decision.LET_THROUGH, false, false);
		assertThat(filter.has(HIDDEN)).isTrue();
		assertThat(filter.count(Outcome.FALSE_NEGATIVE)).isZero();
	}

	@Test
	void callsAreBelievedInAllInstancesWhenOneHasFoundARowThatNoSourceHas() {
		FilterUnderTest filter = start(with());
		FilterUnderTest other = another(filter);
		this.rows.insertForCallers(HIDDEN);
		filter.guard().loaded(HIDDEN, Decision.LET_THROUGH, false, false);
		assertThat(filter.has(HIDDEN)).isTrue();
		assertThat(filter.count(Outcome.FALSE_NEGATIVE)).as("the filter has what the source has").isZero();
		filter.report();
		other.refresh();
		assertThat(other.beforeUntil()).isEqualTo(filter.now().plus(Duration.ofMinutes(10)));
		this.rows.insertForCallers(-2L);
		assertThat(other.find(-2L)).isEqualTo(-2L);
		assertThat(other.guard().confirmsAbsence(-3L).await()).as("nothing is remembered").isFalse();
		other.report();
		other.pass(Duration.ofMinutes(10));
		assertThat(other.guard().confirmsAbsence(-3L).await()).isTrue();
	}

	@Test
	void filterIsRefutedIfARowIsFoundBeforeItWasBelieved() {
		FilterUnderTest filter = start(with().requiredCalls(20));
		FilterUnderTest other = another(filter);
		filter.pass(Duration.ofMillis(1));
		this.rows.insert("sku-4711");
		try (LogLines lines = LogLines.of(Findings.class, Level.ERROR)) {
			assertThat(filter.find("sku-4711")).isEqualTo("sku-4711");
			assertThat(lines.lines()).singleElement()
				.asString()
				.contains("'products' called a key absent that was found", "like \"aaa-9999\"",
						"those that were loaded like an integer")
				.doesNotContain("sku");
		}
		other.refresh();
		for (FilterUnderTest instance : List.of(filter, other)) {
			assertThat(instance.state()).isEqualTo(FilterState.REFUTED);
			assertThat(instance.check(-2L)).isEqualTo(Decision.UNKNOWN);
			assertThat(instance.guard().membership(-2L)).isEqualTo(Membership.UNKNOWN);
			assertThat(instance.count(Outcome.FALSE_NEGATIVE)).as("nobody was told anything wrong").isZero();
		}
	}

	@Test
	void refutedFilterProvesItselfAnewWhenItWasAcknowledgedOrRebuilt() {
		FilterUnderTest filter = start(with().requiredCalls(20));
		filter.prove(19, 1);
		this.rows.insert(-100L);
		filter.pass(Duration.ofMillis(1));
		filter.called(-100L, true);
		assertThat(filter.state()).isEqualTo(FilterState.REFUTED);
		filter.acknowledge();
		assertThat(filter.state()).isEqualTo(FilterState.PROVING);
		assertThat(filter.check(-2L)).isEqualTo(Decision.LET_THROUGH);
		assertThat(filter.proof().absent()).isZero();
		filter.called(-100L, true);
		assertThat(filter.state()).isEqualTo(FilterState.REFUTED);
		filter.pass(Duration.ofMillis(1));
		filter.rebuild();
		assertThat(filter.state()).isEqualTo(FilterState.PROVING);
		assertThat(filter.check(-2L)).isEqualTo(Decision.LET_THROUGH);
	}

	@Test
	void keyThatComesAfterItsRowWasFoundRefutesNothing() {
		FilterUnderTest filter = start(with().requiredCalls(20).grace(Duration.ofSeconds(10)));
		filter.called(HIDDEN, true);
		filter.pass(Duration.ofSeconds(9));
		filter.written().add(List.of(HIDDEN));
		filter.pass(Duration.ofSeconds(1));
		assertThat(filter.state()).isEqualTo(FilterState.PROVING);
		this.rows.insert(-2L);
		filter.called(-2L, true);
		filter.pass(Duration.ofSeconds(10));
		assertThat(filter.state()).isEqualTo(FilterState.REFUTED);
	}

	@Test
	void manyKeysThatAreAllAbsentAndGiveSomethingRefuteAnUnprovenFilter() {
		FilterUnderTest filter = start(with().requiredCalls(20));
		this.rows.insert(HIDDEN);
		filter.pass(Duration.ofMillis(1));
		List<Long> keys = List.of(HIDDEN, -2L);
		filter.guard().loaded(keys, filter.possible(HIDDEN, -2L), false);
		assertThat(filter.state()).isEqualTo(FilterState.REFUTED);
	}

	@Test
	void callThatFindsWhatTheSourceDoesNotHaveRefutesNothing() {
		FilterUnderTest filter = start(with().requiredCalls(20));
		filter.pass(Duration.ofMillis(1));
		filter.called(HIDDEN, true);
		filter.report();
		assertThat(filter.state()).isEqualTo(FilterState.PROVING);
		assertThat(filter.beforeUntil()).as("callers see more").isNotNull();
	}

	@Test
	void manyKeysOfWhichOneMayBeThereTellNothingIfSomethingIsFound() {
		FilterUnderTest filter = start(with().requiredCalls(20));
		List<Long> keys = List.of(1L, HIDDEN);
		filter.guard().loaded(keys, filter.possible(1L, HIDDEN), false);
		assertThat(filter.state()).isEqualTo(FilterState.PROVING);
	}

	@Test
	void rowThatIsFoundDuringARolloutIsAddedAndRefutesNothing() {
		FilterUnderTest filter = start(with().requiredCalls(20).settle(Duration.ofMinutes(10)));
		filter.called(HIDDEN, true);
		assertThat(filter.has(HIDDEN)).isTrue();
		filter.called(HIDDEN, true);
		filter.report();
		assertThat(filter.state()).isEqualTo(FilterState.SETTLING);
		assertThat(filter.proof().found()).as("added because it was found").isZero();
		assertThat(filter.doubt().wrong()).isZero();
	}

	@Test
	void rowThatIsFoundWhileTheFilterCantTellIsToldOfWhenItCanAgain() {
		FilterUnderTest filter = start(with().verification(Mode.OFF, 0));
		this.rows.insert(HIDDEN);
		filter.mistrust("on purpose");
		filter.guard().loaded(HIDDEN, Decision.LET_THROUGH, false, false);
		assertThat(filter.count(Outcome.FALSE_NEGATIVE)).isZero();
		this.rows.delete(HIDDEN);
		filter.supervise();
		this.rows.insert(HIDDEN);
		filter.pass(Duration.ofSeconds(1));
		filter.pass(Duration.ofMinutes(1));
		assertThat(filter.count(Outcome.FALSE_NEGATIVE)).isOne();
		assertThat(filter.has(HIDDEN)).isTrue();
	}

}
