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
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.Membership;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.guard.FilterUnderTest;
import io.github.bloomguard.guard.Rows;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for when a filter is believed.
 */
class ProofTests {

	private final Rows rows = new Rows();

	private final List<FilterUnderTest> running = new ArrayList<>();

	@AfterEach
	void close() {
		this.running.forEach(FilterUnderTest::close);
	}

	private FilterUnderTest start(Rows rows) {
		return start(FilterUnderTest.with(rows).requiredCalls(20));
	}

	private FilterUnderTest start(FilterUnderTest.Setup setup) {
		FilterUnderTest filter = setup.loaded();
		this.running.add(filter);
		return filter;
	}

	@Test
	void callsGoThroughUntilEnoughDifferentKeysOfBothKindsHaveProvenTheFilter() {
		FilterUnderTest filter = start(this.rows);
		assertThat(filter.state()).isEqualTo(FilterState.PROVING);
		assertThat(filter.reason()).contains("0 of 20 different keys", "0 of 2");
		filter.prove(20, 1);
		assertThat(filter.check(-1L)).isEqualTo(Decision.LET_THROUGH);
		assertThat(filter.reason()).contains("20 of 20 different keys", "1 of 2");
		filter.prove(0, 2);
		assertThat(filter.state()).isEqualTo(FilterState.READY);
		assertThat(filter.check(-1L)).isEqualTo(Decision.ABSENT);
		assertThat(filter.check(1L).answered()).isFalse();
	}

	@Test
	void oneKeyProvesNothingHoweverOftenItIsLookedFor() {
		FilterUnderTest filter = start(this.rows);
		filter.prove(0, 2);
		for (int i = 0; i < 100; i++) {
			filter.called(-1L, false);
		}
		filter.report();
		assertThat(filter.proof().absent()).isOne();
		assertThat(filter.check(-1L)).isEqualTo(Decision.LET_THROUGH);
	}

	@Test
	void filterThatWasNeverRightAboutARowIsNotBelieved() {
		FilterUnderTest filter = start(new Names());
		filter.prove(1000, 0);
		assertThat(LongStream.rangeClosed(1, 100).filter((id) -> filter.check(id).answered())).isEmpty();
	}

	@Test
	void keysInAnotherFormAreFoundOutBeforeAnybodyIsToldAnythingWrong() {
		FilterUnderTest filter = start(new Names());
		filter.prove(19, 0);
		assertThat(LongStream.rangeClosed(1, 100).filter((id) -> filter.check(id).answered())).isEmpty();
		filter.called(1L, true);
		assertThat(filter.state()).isEqualTo(FilterState.REFUTED);
	}

	@Test
	void allInstancesProveTheFilterTogether() {
		FilterUnderTest filter = start(this.rows);
		FilterUnderTest other = filter.another();
		this.running.add(other);
		filter.prove(10, 1);
		LongStream.rangeClosed(11, 20).forEach((id) -> other.called(-id, false));
		other.called(2L, true);
		other.report();
		filter.refresh();
		assertThat(filter.check(-1L)).isEqualTo(Decision.ABSENT);
		assertThat(other.check(-1L)).isEqualTo(Decision.ABSENT);
	}

	@Test
	void filterStaysProvenWhenItIsRebuiltAndForInstancesThatStartLater() {
		FilterUnderTest filter = start(this.rows);
		filter.prove(20, 2);
		String former = filter.generation();
		filter.rebuild();
		assertThat(filter.generation()).isNotEqualTo(former);
		assertThat(filter.check(-1L)).isEqualTo(Decision.ABSENT);
		FilterUnderTest late = filter.another();
		this.running.add(late);
		assertThat(late.state()).isEqualTo(FilterState.READY);
		assertThat(late.check(-1L)).isEqualTo(Decision.ABSENT);
	}

	@Test
	void filterOfFewKeysIsBelievedWhenAllOfThemWereFound() {
		this.rows.deleteAll();
		LongStream.rangeClosed(1, 3).forEach(this.rows::insert);
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).requiredCalls(100));
		filter.prove(100, 2);
		assertThat(filter.check(-1L)).isEqualTo(Decision.LET_THROUGH);
		filter.prove(0, 3);
		assertThat(filter.check(-1L)).isEqualTo(Decision.ABSENT);
	}

	@Test
	void emptyCopyOfATableIsNotBelievedForTheFirstRowsThatAreAdded() {
		this.rows.deleteAll();
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).requiredCalls(100));
		filter.written().add(List.of(1L, 2L));
		filter.prove(100, 2);
		assertThat(filter.check(-1L)).isEqualTo(Decision.LET_THROUGH);
		filter.written().add(LongStream.rangeClosed(3, 10).boxed().toList());
		filter.prove(0, 10);
		assertThat(filter.check(-1L)).isEqualTo(Decision.ABSENT);
	}

	@Test
	void databaseOfTheProcessItselfIsBelievedAfterThreeKeys() {
		FilterUnderTest filter = start(FilterUnderTest.with(new Rows() {

			@Override
			public String database() {
				return "jdbc:h2:mem:shop";
			}

			@Override
			public boolean isOwn() {
				return true;
			}

		}).requiredCalls(100).settle(Duration.ofMinutes(10)));
		assertThat(filter.state()).as("nobody else inserts rows").isEqualTo(FilterState.PROVING);
		assertThat(filter.reason()).contains("0 of 3 different keys");
		filter.prove(3, 1);
		assertThat(filter.check(-4L)).isEqualTo(Decision.ABSENT);
	}

	@Test
	void manyKeysOfOneCallProveAsMuchAsManyCallsDo() {
		FilterUnderTest filter = start(this.rows);
		List<Long> keys = LongStream.rangeClosed(-20, 1).filter((id) -> id != 0).boxed().toList();
		filter.guard().loaded(keys, filter.possible(keys.toArray()), true);
		filter.report();
		assertThat(filter.proof().absent()).isEqualTo(20);
		for (List<Long> existing : List.of(List.of(1L, 2L), List.of(2L, 3L))) {
			filter.guard().loaded(existing, filter.possible(existing.toArray()), false);
		}
		filter.report();
		assertThat(filter.proof().found()).as("the first key of each call").isEqualTo(2);
		assertThat(filter.possible(keys.toArray()).positions().cardinality()).isOne();
	}

	@Test
	void questionsWithoutALoaderAreAnsweredAtOnce() {
		FilterUnderTest filter = start(this.rows);
		assertThat(filter.guard().membership(-1L)).isEqualTo(Membership.ABSENT);
		assertThat(filter.guard().mightContain(-1L)).isFalse();
	}

	@Test
	void keyThatWasAddedWhileItsCallWasUnderWayRefutesNothing() {
		FilterUnderTest filter = start(this.rows);
		Decision before = filter.check(-1L);
		filter.written().add(List.of(-1L));
		filter.guard().loaded(-1L, before, false, false);
		assertThat(filter.state()).isEqualTo(FilterState.PROVING);
	}

	@Test
	void filterIsBelievedAtOnceWhereNoProofIsRequired() {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).requiredCalls(0));
		assertThat(filter.state()).isEqualTo(FilterState.READY);
		assertThat(filter.check(-1L)).isEqualTo(Decision.ABSENT);
	}

	@Test
	void filterTellsWhenItWillAnswer() {
		FilterUnderTest filter = start(
				FilterUnderTest.with(this.rows).requiredCalls(20).settle(Duration.ofMinutes(10)));
		assertThat(filter.reason()).matches("it is loaded, and settles until \\d\\d:\\d\\d:\\d\\d \\(in 10 min\\), "
				+ ".*\\(rebuild\\.settle\\)\\. Then it is loaded again, and proves itself \\(PROVING\\): it answers when"
				+ " calls have found nothing for 20 different keys that it calls absent, and have found 2 that it"
				+ " lets pass, or 20 of these\\. Until then calls go through");
		filter.prove(20, 2);
		assertThat(filter.proof().absent()).isEqualTo(20);
		assertThat(filter.proof().found()).as("may have been added because they were found").isZero();
		filter.switchTo(FilterMode.SHADOW);
		assertThat(filter.state()).isEqualTo(FilterState.SHADOW);
		assertThat(filter.reason())
			.startsWith("it answers nothing in this mode; with enforce: it is loaded, and settles until");
	}

	@Test
	void filterThatNeedsNoProofTellsThatItAnswersWhenItHasSettled() {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).requiredCalls(0).settle(Duration.ofMinutes(10)));
		assertThat(filter.reason()).contains("Then it is loaded again, and answers. Until then calls go through");
	}

	@Test
	void filterThatWasLoadedDuringARolloutIsLoadedAgainWhenItIsOverAndAnswersThen() {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).settle(Duration.ofMinutes(10)));
		assertThat(filter.settlesAt()).isEqualTo(filter.now().plus(Duration.ofMinutes(10)));
		assertThat(filter.check(-1L)).isEqualTo(Decision.LET_THROUGH);
		assertThat(filter.check(1L).mayBeRemembered()).isTrue();
		assertThat(filter.guard().membership(-1L)).isEqualTo(Membership.UNKNOWN);
		assertThat(filter.guard().mightContain(-1L)).isTrue();
		assertThat(filter.possible(-1L, -2L).positions().cardinality()).isEqualTo(2);
		filter.supervise();
		assertThat(this.rows.scans()).isOne();
		this.rows.insert(-2L);
		filter.pass(Duration.ofMinutes(10));
		assertThat(filter.check(-2L)).as("what was loaded before may lack rows").isEqualTo(Decision.LET_THROUGH);
		filter.supervise();
		assertThat(this.rows.scans()).isEqualTo(2);
		assertThat(filter.settlesAt()).isNull();
		assertThat(filter.check(-1L)).isEqualTo(Decision.ABSENT);
		assertThat(filter.check(-2L).membership()).isEqualTo(Membership.MAYBE);
	}

	@Test
	void restartsAndRebuildsAfterTheRolloutAnswerAtOnce() {
		FilterUnderTest filter = start(FilterUnderTest.with(this.rows).settle(Duration.ofMinutes(10)));
		filter.pass(Duration.ofMinutes(10));
		filter.supervise();
		filter.rebuild();
		assertThat(filter.check(-1L)).isEqualTo(Decision.ABSENT);
		FilterUnderTest restarted = filter.another();
		this.running.add(restarted);
		assertThat(restarted.check(-1L)).isEqualTo(Decision.ABSENT);
		assertThat(restarted.generation()).isEqualTo(filter.generation());
	}

	/**
	 * Gives the names of rows that are asked for by their numbers.
	 */
	private static final class Names extends Rows {

		@Override
		public Stream<?> keys() {
			return super.keys().map((id) -> "name of " + id);
		}

	}

}
