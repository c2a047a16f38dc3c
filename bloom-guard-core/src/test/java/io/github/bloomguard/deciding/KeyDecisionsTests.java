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

package io.github.bloomguard.deciding;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.KeyEquality;
import io.github.bloomguard.Membership;
import io.github.bloomguard.call.Candidates;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.UncommittedInserts;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.guard.FilterUnderTest;
import io.github.bloomguard.guard.Rows;
import io.github.bloomguard.statistics.FilterStatistics.Outcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what is decided about the call for a key.
 */
class KeyDecisionsTests {

	private static final long MISSING = -1;

	/**
	 * When the source is asked again.
	 */
	private static final Duration SOON = Duration.ofMillis(20);

	private final Rows rows = new Rows();

	private final List<FilterUnderTest> running = new ArrayList<>();

	@AfterEach
	void close() {
		this.running.forEach(FilterUnderTest::close);
	}

	private FilterUnderTest.Setup with() {
		return FilterUnderTest.with(this.rows).verification(Mode.OFF, 0);
	}

	private FilterUnderTest start(FilterUnderTest.Setup setup) {
		FilterUnderTest filter = setup.loaded();
		this.running.add(filter);
		return filter;
	}

	private static void assertThatNothingIsAbsent(FilterUnderTest filter, Decision instead) {
		assertThat(filter.check(MISSING)).isEqualTo(instead);
		assertThat(filter.guard().check(MISSING).future()).isCompletedWithValue(instead);
		assertThat(filter.possible(MISSING, 1L).positions().cardinality()).isEqualTo(2);
		assertThat(filter.guard().preview(MISSING).answered()).isFalse();
	}

	@Test
	void missingKeyIsAbsentAndExistingOnesMayBeThere() {
		FilterUnderTest filter = start(with());
		assertThat(filter.check(MISSING)).isEqualTo(Decision.ABSENT);
		assertThat(filter.guard().check(MISSING).future()).isCompletedWithValue(Decision.ABSENT);
		assertThat(filter.check(1L).membership()).isEqualTo(Membership.MAYBE);
		assertThat(filter.check("1")).as("7 and \"7\" are one key").isEqualTo(filter.check(1L));
		assertThat(filter.find(MISSING)).isNull();
		assertThat(filter.find(1L)).isEqualTo(1L);
		assertThat(this.rows.calls()).containsExactly(1L);
		assertThat(filter.count(Outcome.ABSENT)).isEqualTo(3);
	}

	@Test
	void keyWithAPartThatIsNullPassesAndIsUncertain() {
		FilterUnderTest filter = start(with());
		assertThat(filter.check(List.of(7, 8)).answered()).isTrue();
		for (Object key : List.of(Arrays.asList(null, 8), Arrays.asList(7, Arrays.asList(8, null)))) {
			Decision verdict = filter.check(key);
			assertThat(verdict.membership()).isEqualTo(Membership.MAYBE);
			assertThat(verdict.uncertain()).isTrue();
			assertThat(filter.guard().mightContain(key)).isTrue();
			assertThat(filter.possible(key, List.of(7, 8)).positions().stream()).containsExactly(0);
		}
	}

	@Test
	void nullKeyPasses() {
		FilterUnderTest filter = start(with());
		assertThat(filter.check(null)).isEqualTo(Decision.UNKNOWN);
		assertThat(filter.guard().membership(null)).isEqualTo(Membership.UNKNOWN);
		assertThat(filter.guard().mightContain(null)).isTrue();
		assertThat(filter.guard().possible(Arrays.asList(MISSING, null)).await().positions().stream())
			.containsExactly(1);
	}

	@Test
	void addedKeyIsNotAbsentInAnyInstance() {
		FilterUnderTest filter = start(with());
		FilterUnderTest other = filter.another();
		this.running.add(other);
		filter.written().add(List.of(MISSING));
		for (FilterUnderTest instance : List.of(filter, other)) {
			assertThat(instance.check(MISSING).membership()).isEqualTo(Membership.MAYBE);
		}
		filter.rebuild();
		assertThat(filter.check(MISSING).membership()).as("the journal has it").isEqualTo(Membership.MAYBE);
	}

	@Test
	void nothingIsAbsentBeforeTheFilterIsLoaded() {
		FilterUnderTest filter = with().started();
		this.running.add(filter);
		assertThat(filter.state()).isEqualTo(FilterState.LOADING);
		assertThatNothingIsAbsent(filter, Decision.UNKNOWN);
	}

	@Test
	void nothingIsAbsentWhileTheFilterProvesItself() {
		FilterUnderTest filter = start(with().requiredCalls(20));
		assertThatNothingIsAbsent(filter, Decision.LET_THROUGH);
		filter.prove(20, 2);
		assertThat(filter.check(MISSING)).isEqualTo(Decision.ABSENT);
	}

	@Test
	void nothingIsAbsentDuringARollout() {
		FilterUnderTest filter = start(with().settle(Duration.ofMinutes(10)));
		assertThatNothingIsAbsent(filter, Decision.LET_THROUGH);
	}

	@Test
	void nothingIsAbsentInShadowModeOrOffWhoeverHasSwitchedIt() {
		assertThatNothingIsAbsent(start(with().mode(FilterMode.SHADOW)), Decision.LET_THROUGH);
		FilterUnderTest filter = start(with());
		FilterUnderTest other = filter.another();
		this.running.add(other);
		filter.switchTo(FilterMode.SHADOW);
		other.refresh();
		assertThatNothingIsAbsent(other, Decision.LET_THROUGH);
		filter.switchTo(FilterMode.OFF);
		other.refresh();
		assertThatNothingIsAbsent(other, Decision.UNKNOWN);
		filter.switchTo(FilterMode.ENFORCE);
		other.refresh();
		assertThat(other.check(MISSING)).isEqualTo(Decision.ABSENT);
	}

	@Test
	void nothingIsAbsentWhenTheRecordWasReadTooLongAgo() {
		FilterUnderTest filter = start(with());
		filter.refresh();
		filter.passUnseen(ControlRecord.LEASE.minusNanos(1));
		assertThat(filter.check(MISSING)).isEqualTo(Decision.ABSENT);
		filter.passUnseen(Duration.ofNanos(1));
		assertThatNothingIsAbsent(filter, Decision.UNKNOWN);
		filter.refresh();
		assertThat(filter.check(MISSING)).isEqualTo(Decision.ABSENT);
	}

	@Test
	void nothingIsAbsentUntilAMistrustedFilterWasLoadedAgain() {
		FilterUnderTest filter = start(with());
		filter.mistrust("on purpose");
		assertThatNothingIsAbsent(filter, Decision.UNKNOWN);
		filter.refresh();
		assertThatNothingIsAbsent(filter, Decision.UNKNOWN);
		filter.supervise();
		assertThat(filter.check(MISSING)).isEqualTo(Decision.ABSENT);
		assertThat(this.rows.scans()).isEqualTo(2);
	}

	@Test
	void nothingIsAbsentForATransactionThatHasInsertedRowsOfWhichNobodyElseKnows() {
		FilterUnderTest filter = start(with());
		TransactionSynchronizationManager.initSynchronization();
		try {
			assertThat(filter.check(MISSING)).isEqualTo(Decision.ABSENT);
			UncommittedInserts.note(FilterUnderTest.NAME);
			assertThatNothingIsAbsent(filter, Decision.UNKNOWN);
		}
		finally {
			TransactionSynchronizationManager.getSynchronizations()
				.forEach((synchronization) -> synchronization
					.afterCompletion(TransactionSynchronization.STATUS_COMMITTED));
			TransactionSynchronizationManager.clear();
		}
		assertThat(filter.check(MISSING)).isEqualTo(Decision.ABSENT);
	}

	@Test
	void absentKeyIsAskedForAgainWhenTheChangeLogHasBroughtWhatWasThere() {
		AtomicReference<@Nullable FilterUnderTest> adding = new AtomicReference<>();
		AtomicInteger passed = new AtomicInteger();
		FilterUnderTest filter = start(with().barrier(() -> {
			passed.incrementAndGet();
			FilterUnderTest late = adding.get();
			if (late != null) {
				late.written().add(List.of(MISSING));
			}
			return CompletableFuture.completedFuture(true);
		}));
		assertThat(filter.check(MISSING)).isEqualTo(Decision.ABSENT);
		assertThat(passed).hasValue(1);
		assertThat(filter.check(1L).membership()).isEqualTo(Membership.MAYBE);
		assertThat(passed).as("only what would be absent waits").hasValue(1);
		adding.set(filter);
		assertThat(filter.check(MISSING).membership()).isEqualTo(Membership.MAYBE);
	}

	@Test
	void nothingIsAbsentIfTheChangeLogIsNotReadInTime() {
		assertThatNothingIsAbsent(start(with().barrier(() -> CompletableFuture.completedFuture(false))),
				Decision.UNKNOWN);
	}

	@Test
	void keyThatTheSourceCantTellFromOthersIsNeverAbsentAndItsLoadsAreLimited() {
		FilterUnderTest filter = start(FilterUnderTest.with(new Rows() {

			@Override
			public Optional<KeyEquality> equality() {
				return Optional.of(new KeyEquality() {

					@Override
					public Set<Difference> ignored() {
						return EXACT;
					}

					@Override
					public boolean tellsApart(List<? extends @Nullable Object> key) {
						return key.get(0) instanceof Long;
					}

				});
			}

		}));
		assertThat(filter.check("abc")).satisfies((verdict) -> {
			assertThat(verdict.membership()).isEqualTo(Membership.MAYBE);
			assertThat(verdict.uncertain()).isTrue();
		});
		assertThat(filter.check(MISSING)).isEqualTo(Decision.ABSENT);
		assertThat(filter.possible("abc", MISSING).positions().stream()).containsExactly(0);
	}

	@Test
	void keyThatPassesBecauseItsFormLeavesCharactersOutIsUncertain() {
		Rows names = new Rows() {

			@Override
			public Optional<KeyEquality> equality() {
				return Optional.of(new KeyEquality() {

					@Override
					public Set<Difference> ignored() {
						return Set.of(Difference.CASE, Difference.ACCENTS, Difference.BEYOND_ASCII);
					}

					@Override
					public Optional<Map<String, String>> letters() {
						return Optional.of(Map.of());
					}

				});
			}

		};
		names.insert("\u5317\u4eac");
		names.insert("Jos\u00e9");
		FilterUnderTest filter = start(FilterUnderTest.with(names).verification(Mode.OFF, 0));
		String other = "\u4e0a\u6d77";
		assertThat(filter.check(other)).satisfies((verdict) -> {
			assertThat(verdict.membership()).isEqualTo(Membership.MAYBE);
			assertThat(verdict.uncertain()).isTrue();
		});
		filter.possible(other);
		assertThat(filter.count(Outcome.UNCERTAIN)).isEqualTo(2);
		filter.called(other, false);
		assertThat(filter.count(Outcome.FALSE_POSITIVE)).as("nothing is told about the filter").isZero();
		assertThat(filter.check(other)).isEqualTo(Decision.REMEMBERED);
		assertThat(filter.check("\u5317\u4eac").answered()).as("another text").isFalse();
		assertThat(filter.check("jose").uncertain()).isFalse();
		assertThat(filter.check(other + "-17")).isEqualTo(Decision.ABSENT);
	}

	@Test
	void keyThatPassedAndWasNotFoundIsRememberedUntilItIsAdded() {
		FilterUnderTest filter = withFalsePositive(new Rows.LookedUp());
		filter.called(MISSING, false);
		assertThat(filter.check(MISSING)).isEqualTo(Decision.REMEMBERED);
		assertThat(filter.guard().isRemembered(MISSING)).isTrue();
		assertThat(filter.count(Outcome.FALSE_POSITIVE)).isOne();
		assertThat(filter.guard().scopedTo("other method").check(MISSING).await().answered()).isFalse();
		filter.written().add(List.of(MISSING));
		assertThat(filter.check(MISSING).answered()).isFalse();
	}

	@Test
	void keyIsRememberedForItsTimeOnly() {
		FilterUnderTest filter = withFalsePositive(new Rows.LookedUp());
		filter.called(MISSING, false);
		filter.pass(Duration.ofSeconds(59));
		assertThat(filter.check(MISSING)).isEqualTo(Decision.REMEMBERED);
		filter.pass(Duration.ofSeconds(1));
		assertThat(filter.check(MISSING).answered()).isFalse();
	}

	@Test
	void keyIsNotRememberedIfTheSourceHasItsRowAfterAll() {
		Rows source = new Rows.LookedUp();
		FilterUnderTest filter = withFalsePositive(source);
		source.insert(MISSING);
		filter.called(MISSING, false);
		assertThat(source.lookUps()).contains(MISSING);
		assertThat(filter.check(MISSING).answered()).isFalse();
	}

	@Test
	void keyThatATransactionHasNotFoundIsRememberedIfTheSourceHasNoSuchRow() {
		Rows source = new Rows.LookedUp();
		FilterUnderTest filter = withFalsePositive(source);
		source.insert(MISSING);
		filter.guard().loaded(MISSING, filter.check(MISSING), true, true);
		assertThat(filter.check(MISSING).answered()).as("others see a row that the transaction has deleted").isFalse();
		source.delete(MISSING);
		filter.guard().loaded(MISSING, filter.check(MISSING), true, true);
		filter.pass(SOON);
		assertThat(filter.check(MISSING)).isEqualTo(Decision.REMEMBERED);
	}

	@Test
	void keyThatATransactionHasNotFoundIsNotRememberedWhereNoSourceCanTell() {
		FilterUnderTest filter = withFalsePositive(new Rows());
		filter.guard().loaded(MISSING, filter.check(MISSING), true, true);
		assertThat(filter.check(MISSING).answered()).isFalse();
		filter.guard().loaded(MISSING, filter.check(MISSING), true, false);
		assertThat(filter.check(MISSING)).isEqualTo(Decision.REMEMBERED);
	}

	@Test
	void keyThatATransactionHasNotFoundIsNotRememberedIfTheSourceCanNotTellOfThatKey() {
		FilterUnderTest filter = withFalsePositive(new Rows.LookedUp() {

			@Override
			public List<Optional<Boolean>> containsEach(List<? extends List<? extends @Nullable Object>> keys) {
				return keys.stream().map((key) -> Optional.<Boolean>empty()).toList();
			}

		});
		filter.guard().loaded(MISSING, filter.check(MISSING), true, true);
		assertThat(filter.check(MISSING).answered()).isFalse();
		filter.guard().loaded(MISSING, filter.check(MISSING), true, false);
		filter.pass(SOON);
		assertThat(filter.check(MISSING)).isEqualTo(Decision.REMEMBERED);
	}

	@Test
	void keyIsNotRememberedIfTheSourceFails() {
		Rows source = new Rows.LookedUp();
		FilterUnderTest filter = withFalsePositive(source);
		source.failFor(MISSING);
		filter.called(MISSING, false);
		assertThat(filter.check(MISSING).answered()).isFalse();
	}

	@Test
	void keyIsNotRememberedWhereRowsDependOnTheCaller() {
		Rows source = new Rows.LookedUp();
		source.dependOnCaller();
		FilterUnderTest filter = withFalsePositive(source);
		filter.called(MISSING, false);
		assertThat(filter.guard().isRemembered(MISSING)).isFalse();
	}

	@Test
	void keyIsNotRememberedDuringARollout() {
		FilterUnderTest filter = withFalsePositive(
				FilterUnderTest.with(new Rows.LookedUp()).settle(Duration.ofHours(3)));
		filter.called(MISSING, false);
		filter.pass(Duration.ofSeconds(1));
		assertThat(filter.guard().isRemembered(MISSING)).isFalse();
		assertThat(filter.check(MISSING).answered()).isFalse();
	}

	@Test
	void keyThatIsRememberedIsAskedForByTransactionsThatHaveInsertedRows() {
		FilterUnderTest filter = withFalsePositive(new Rows.LookedUp());
		filter.called(MISSING, false);
		TransactionSynchronizationManager.initSynchronization();
		try {
			UncommittedInserts.note(FilterUnderTest.NAME);
			assertThat(filter.check(MISSING).answered()).isFalse();
		}
		finally {
			TransactionSynchronizationManager.clear();
		}
	}

	@Test
	void keyIsRememberedOnlyByCallersThatAskForThat() {
		FilterUnderTest filter = withFalsePositive(new Rows.LookedUp());
		GuardedFilter forgetful = filter.guard().withEmptyTtl(Duration.ZERO);
		forgetful.loaded(MISSING, forgetful.check(MISSING).await(), true, false);
		assertThat(filter.check(MISSING).answered()).isFalse();
		filter.called(MISSING, false);
		assertThat(forgetful.check(MISSING).await().answered()).isFalse();
	}

	/**
	 * Start a filter that lets a key pass of which there is no row, and which was not
	 * added lately.
	 */
	private FilterUnderTest withFalsePositive(Rows source) {
		return withFalsePositive(FilterUnderTest.with(source));
	}

	private FilterUnderTest withFalsePositive(FilterUnderTest.Setup setup) {
		FilterUnderTest filter = start(setup);
		filter.written().add(List.of(MISSING));
		filter.pass(Duration.ofHours(2));
		assertThat(filter.check(MISSING).membership()).isEqualTo(Membership.MAYBE);
		return filter;
	}

	@Test
	void manyKeysAreDecidedAboutAsOneEach() {
		FilterUnderTest filter = start(with());
		Candidates candidates = filter.possible(1L, MISSING, 2L, "sku");
		assertThat(candidates.positions().stream()).containsExactly(0, 2);
		assertThat(candidates.verdict().membership()).isEqualTo(Membership.MAYBE);
		assertThat(filter.possible(MISSING, -2L).verdict()).isEqualTo(Decision.ABSENT);
		assertThat(filter.count(Outcome.ABSENT)).isEqualTo(4);
		assertThat(filter.count(Outcome.MAYBE)).isEqualTo(2);
	}

	@Test
	void manyKeysOfAnUnprovenFilterAreNotedAsAbsentOnes() {
		FilterUnderTest filter = start(with().requiredCalls(20));
		Candidates candidates = filter.possible(1L, MISSING, -2L);
		assertThat(candidates.positions().cardinality()).isEqualTo(3);
		assertThat(candidates.absent().stream()).containsExactly(1, 2);
	}

}
