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

package io.github.bloomguard.instance;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;

import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.Membership;
import io.github.bloomguard.circuit.CircuitBreaker;
import io.github.bloomguard.filter.FilterCopy;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.ControlStore.JournalPage;
import io.github.bloomguard.generation.ControlStore.MirrorLease;
import io.github.bloomguard.generation.ControlStore.Renewal;
import io.github.bloomguard.generation.Doubt;
import io.github.bloomguard.generation.Evidence;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.Generation.Phase;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.MirrorChannel;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.generation.Proof;
import io.github.bloomguard.generation.Rollout;
import io.github.bloomguard.generation.Trust;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import io.github.bloomguard.testsupport.SettableClock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mockito.InOrder;
import org.redisson.RedissonShutdownException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.argThat;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;

/**
 * Tests for {@link GenerationalFilter} with a Redis whose answers are there at once.
 */
class GenerationalFilterTests {

	private static final FilterSpecification SPECIFICATION = new FilterSpecification("products", 1000, 0.01);

	private final ControlStore control = mock();

	private final FilterStore store = mock();

	private final StoredFilter bits = mock();

	private final List<String> steps = new ArrayList<>();

	private final List<FilterState> states = new ArrayList<>();

	private final SettableClock clock = new SettableClock();

	private final GenerationalFilter filter = new GenerationalFilter(
			new FilterSettingsBuilder().mirrorMemory(1_000_000)
				.longestAdd(Duration.ofSeconds(1))
				.journalRetention(Duration.ofMinutes(10))
				.build(),
			Origin.of("origin"), this.store, this.control,
			CircuitBreaker.ofFilters(Duration.ofSeconds(1), Duration.ofSeconds(1)), this.clock,
			new BloomGuardListener() {

				@Override
				public void onStateChange(String filter, FilterState from, FilterState to, @Nullable Throwable cause) {
					GenerationalFilterTests.this.states.add(to);
				}

			});

	private long epoch;

	private @Nullable String active;

	private String origin = "origin";

	private Trust trust = Trust.NONE;

	private boolean sameServer = true;

	private JournalPosition journalEnd = JournalPosition.START;

	GenerationalFilterTests() {
		given(this.control.refresh(any(Evidence.class))).willAnswer((invocation) -> {
			this.steps.add("read");
			return CompletableFuture.completedFuture(record());
		});
		given(this.store.open(any(), any())).willReturn(this.bits);
		given(this.bits.lookup("salta")).willReturn(CompletableFuture.completedFuture(Membership.ABSENT));
		given(this.bits.isIntact()).willAnswer((invocation) -> {
			this.steps.add("look");
			return CompletableFuture.completedFuture(true);
		});
	}

	@Test
	void refreshEndsBeforeAnotherBegins() {
		this.active = "first";
		CompletableFuture<ControlRecord> slow = new CompletableFuture<>();
		given(this.control.refresh(any(Evidence.class))).willAnswer((invocation) -> {
			this.steps.add("read slowly");
			return slow;
		}).willAnswer((invocation) -> {
			this.steps.add("read");
			return CompletableFuture.completedFuture(record());
		});
		this.steps.clear();
		CompletableFuture<Boolean> first = this.filter.refresh();
		CompletableFuture<Boolean> second = this.filter.refresh();
		assertThat(this.filter.refreshIfIdle()).isSameAs(second);
		ControlRecord old = record();
		this.active = "second";
		slow.complete(old);
		assertThat(first).isCompletedWithValue(true);
		assertThat(second).isCompletedWithValue(true);
		assertThat(this.steps).containsExactly("read slowly", "look", "read", "look");
		assertThat(this.filter.active()).extracting(Generation::id).isEqualTo("second");
	}

	@Test
	@Tag("slow")
	void refreshThatHangsIsGivenUpAndFollowedByOthers() {
		this.active = "first";
		CompletableFuture<ControlRecord> hung = new CompletableFuture<>();
		ControlRecord old = record();
		given(this.control.refresh(any(Evidence.class))).willReturn(hung).willAnswer((invocation) -> {
			this.steps.add("read");
			return CompletableFuture.completedFuture(record());
		});
		assertThat(this.filter.refresh()).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(false);
		assertThat(this.filter.state()).isEqualTo(FilterState.UNREACHABLE);
		this.active = "second";
		this.filter.refresh().join();
		hung.complete(old);
		assertThat(this.filter.active()).as("the older record came later")
			.extracting(Generation::id)
			.isEqualTo("second");
	}

	@Test
	void stateIsWhatLookupsAreAnsweredBy() {
		this.active = "first";
		this.filter.refresh().join();
		assertThat(this.filter.state()).isEqualTo(FilterState.READY);
		assertThat(this.filter.lookup(this.filter.snapshot(), "a").join()).isEqualTo(Membership.ABSENT);
		this.clock.pass(ControlRecord.LEASE);
		assertThat(this.filter.lookup(this.filter.snapshot(), "a").join()).isEqualTo(Membership.UNKNOWN);
		assertThat(this.filter.state()).isEqualTo(FilterState.UNREACHABLE);
		assertThat(this.filter.isAnswering()).isFalse();
		this.filter.refresh().join();
		assertThat(this.filter.state()).isEqualTo(FilterState.READY);
		assertThat(this.states).containsExactly(FilterState.READY, FilterState.UNREACHABLE, FilterState.READY);
	}

	@Test
	void filterThatLoadsIsNotUnreachableBecauseARefreshIsLate() {
		this.filter.refresh().join();
		this.clock.pass(ControlRecord.LEASE);
		assertThat(this.filter.state()).isEqualTo(FilterState.LOADING);
		given(this.control.refresh(any(Evidence.class))).willThrow(new IllegalStateException());
		this.filter.refresh().join();
		assertThat(this.filter.state()).isEqualTo(FilterState.UNREACHABLE);
		assertThat(this.states).containsExactly(FilterState.UNREACHABLE);
	}

	@Test
	void mistrustGivesUpAllGenerationsThatThereAreAndThoseThatCameWhileRedisDidNotAnswer() {
		this.active = "first";
		this.filter.refresh().join();
		given(this.control.refresh(any(Evidence.class)))
			.willReturn(CompletableFuture.failedFuture(new IllegalStateException()));
		this.filter.mistrust("a key could not be added");
		assertThat(this.filter.lookup(this.filter.snapshot(), "a").join()).isEqualTo(Membership.UNKNOWN);
		this.active = "second";
		given(this.control.refresh(any(Evidence.class)))
			.willAnswer((invocation) -> CompletableFuture.completedFuture(record()));
		this.filter.refresh().join();
		assertThat(this.filter.state()).isEqualTo(FilterState.LOST);
		then(this.store).should(atLeastOnce()).delete(eq(new GenerationId("products", "second")), any());
		this.active = "third";
		this.filter.refresh().join();
		assertThat(this.filter.state()).isEqualTo(FilterState.READY);
	}

	@Test
	void recordOfAnEarlierEpochIsALoss() {
		this.active = "first";
		this.epoch = 7;
		this.filter.refresh().join();
		this.epoch = 7;
		this.filter.refresh().join();
		assertThat(this.filter.state()).as("the same epoch").isEqualTo(FilterState.READY);
		this.epoch = 6;
		this.filter.refresh().join();
		assertLostUntilItIsReplaced();
	}

	@Test
	void journalThatEndsEarlierThanBeforeIsALoss() {
		this.active = "first";
		this.journalEnd = new JournalPosition(7, 1);
		this.filter.refresh().join();
		this.journalEnd = new JournalPosition(7, 0);
		this.filter.refresh().join();
		assertLostUntilItIsReplaced();
	}

	@Test
	void journalWithoutWhatThisInstanceHasAddedIsALoss() {
		this.active = "first";
		this.filter.refresh().join();
		ControlRecord record = record();
		this.journalEnd = new JournalPosition(7, 1);
		given(this.control.channel()).willReturn(MirrorChannel.NONE);
		given(this.control.append(any(), any(), any(), any())).willReturn(CompletableFuture
			.completedFuture(new ControlStore.Appended(record, Set.of(), List.of(), this.journalEnd)));
		given(this.control.confirm()).willReturn(CompletableFuture.completedFuture(new ControlRecord(record.epoch(),
				List.of(), Trust.NONE, true, 1, this.journalEnd, 10_000, 1, 0, null)));
		assertThat(this.filter.add(List.of("a"))).isCompleted();
		this.journalEnd = new JournalPosition(7, 0);
		given(this.control.read())
			.willAnswer((invocation) -> CompletableFuture.completedFuture(new ControlRecord(record.epoch(), List.of(),
					Trust.NONE, true, 1, this.journalEnd, 10_000, 1, 0, null)));
		assertThat(this.filter.hasMovedSince(record.epoch())).isCompletedWithValue(true);
		this.filter.refresh().join();
		assertLostUntilItIsReplaced();
	}

	@Test
	void nothingIsKnownToHaveHappenedInTheEpochThatWasReadOrLater() {
		assertThat(this.filter.isUnmovedSince(1)).isFalse();
		this.filter.refresh().join();
		assertThat(this.filter.isUnmovedSince(this.epoch)).isTrue();
		assertThat(this.filter.isUnmovedSince(this.epoch + 1)).isTrue();
		assertThat(this.filter.isUnmovedSince(this.epoch - 1)).isFalse();
		this.clock.pass(ControlRecord.LEASE);
		assertThat(this.filter.isUnmovedSince(this.epoch)).isFalse();
	}

	@Test
	void journalReachesBackToWhereItBegan() {
		assertThat(this.filter.snapshot().hasJournalOf(Duration.ZERO)).isFalse();
		this.filter.refresh().join();
		assertThat(this.filter.snapshot().hasJournalOf(Duration.ofMillis(9_999))).isTrue();
		assertThat(this.filter.snapshot().hasJournalOf(Duration.ofMillis(10_000))).isFalse();
	}

	@Test
	void whatAnotherServerOrReplicasKnowIsToBeAsked() {
		this.filter.refresh().join();
		given(this.control.awaitsReplicas()).willReturn(true);
		assertThat(this.filter.isUnmovedSince(this.epoch)).isFalse();
		given(this.control.awaitsReplicas()).willReturn(false);
		this.sameServer = false;
		this.filter.refresh().join();
		assertThat(this.filter.isUnmovedSince(this.epoch)).isFalse();
	}

	private void assertLostUntilItIsReplaced() {
		assertThat(this.filter.state()).isEqualTo(FilterState.LOST);
		then(this.store).should(atLeastOnce()).delete(eq(new GenerationId("products", "first")), any());
		this.active = "second";
		this.filter.refresh().join();
		assertThat(this.filter.state()).isEqualTo(FilterState.READY);
	}

	@Test
	void answerThatIsUnderWayWhenTheFilterIsMistrustedIsNotGiven() {
		this.active = "first";
		this.filter.refresh().join();
		CompletableFuture<Membership> answer = new CompletableFuture<>();
		given(this.bits.lookup("salta")).willReturn(answer);
		CompletableFuture<Membership> asked = this.filter.lookup(this.filter.snapshot(), "a");
		this.filter.mistrust("a key could not be added");
		answer.complete(Membership.ABSENT);
		assertThat(asked).isCompletedWithValue(Membership.UNKNOWN);
	}

	@Test
	void mistrustCountsForARecordThatIsJustBeingRead() {
		this.active = "first";
		CompletableFuture<ControlRecord> reading = new CompletableFuture<>();
		given(this.control.refresh(any(Evidence.class))).willReturn(reading)
			.willReturn(CompletableFuture.failedFuture(new IllegalStateException()));
		this.filter.refresh();
		this.filter.mistrust("a key could not be added");
		reading.complete(record());
		assertThat(this.filter.lookup(this.filter.snapshot(), "a").join()).isEqualTo(Membership.UNKNOWN);
		assertThat(this.filter.state()).isNotEqualTo(FilterState.READY);
	}

	@Test
	void mistrustThatIsRepeatedWhileRedisDoesNotAnswerReadsTheRecordOnce() {
		CompletableFuture<ControlRecord> reading = new CompletableFuture<>();
		given(this.control.refresh(any(Evidence.class))).willReturn(reading).willAnswer((invocation) -> {
			this.steps.add("read");
			return CompletableFuture.completedFuture(record());
		});
		this.filter.refresh();
		this.steps.clear();
		IntStream.range(0, 100).forEach((i) -> this.filter.mistrust("a key could not be added"));
		reading.complete(record());
		this.filter.refresh().join();
		assertThat(this.steps).containsExactly("read", "read");
		this.filter.mistrust("a key could not be added");
		assertThat(this.steps).containsExactly("read", "read", "read");
	}

	@Test
	void generationThatWasReplacedWhileItWasLookedAtIsNotLost() {
		this.active = "first";
		this.filter.refresh().join();
		given(this.bits.isIntact()).willAnswer((invocation) -> {
			this.active = "second";
			return CompletableFuture.completedFuture(false);
		}).willReturn(CompletableFuture.completedFuture(true));
		this.filter.refresh().join();
		assertThat(this.filter.active()).extracting(Generation::id).isEqualTo("second");
		assertThat(this.states).containsExactly(FilterState.READY);
	}

	@Test
	void activeGenerationWhoseBitsAreGoneIsLost() {
		this.active = "first";
		this.filter.refresh().join();
		given(this.bits.isIntact()).willReturn(CompletableFuture.completedFuture(false));
		this.filter.refresh().join();
		assertThat(this.states).containsExactly(FilterState.READY, FilterState.LOST);
		then(this.store).should(atLeastOnce()).delete(eq(new GenerationId("products", "first")), any());
	}

	@Test
	void reasonOfALossIsWhatWasFoundFirst() {
		this.active = "first";
		this.filter.refresh().join();
		given(this.bits.isIntact()).willReturn(CompletableFuture.completedFuture(false));
		this.filter.refresh().join();
		this.filter.refresh().join();
		assertThat(this.filter.snapshot().loss()).isEqualTo("its bits are gone");
	}

	@Test
	void generationIsGivenUpWhenAnotherServerAnswers() {
		this.active = "first";
		this.filter.refresh().join();
		this.sameServer = false;
		this.filter.refresh().join();
		assertThat(this.filter.lookup(this.filter.snapshot(), "a").join()).isEqualTo(Membership.UNKNOWN);
		assertThat(this.states).containsExactly(FilterState.READY, FilterState.LOST);
		then(this.store).should(atLeastOnce()).delete(eq(new GenerationId("products", "first")), any());
	}

	@Test
	void generationOfAnotherOriginIsNotAsked() {
		this.active = "first";
		this.origin = "another";
		this.filter.refresh().join();
		assertThat(this.filter.active()).isNull();
		assertThat(this.filter.state()).isEqualTo(FilterState.LOADING);
	}

	@Test
	void refutedGenerationIsNotAskedAndIsStillThere() {
		this.active = "first";
		this.filter.require(requirements(100, 1000));
		this.trust = new Trust(new Rollout(0, 9_998), Proof.NONE, new Doubt(1, 9_999, 9_999, 0));
		this.filter.refresh().join();
		assertThat(this.filter.lookup(this.filter.snapshot(), "a").join()).isEqualTo(Membership.UNKNOWN);
		assertThat(this.filter.state()).isEqualTo(FilterState.REFUTED);
		assertThat(this.filter.isServed(SPECIFICATION)).isTrue();
		this.trust = proof(100, 10, false, false);
		this.filter.refresh().join();
		assertThat(this.filter.state()).isEqualTo(FilterState.READY);
	}

	@Test
	void evidenceIsReportedOnceAndIsEnoughWhenBothKindsAre() {
		this.active = "first";
		this.filter.require(requirements(20, 1000));
		this.trust = proof(19, 2, false, false);
		this.filter.refresh().join();
		this.filter.evidence().noteAbsent("a");
		this.filter.evidence().noteAbsent("a");
		assertThat(this.filter.standing().proven()).isFalse();
		this.trust = proof(20, 1, false, false);
		this.filter.refresh().join();
		assertThat(this.filter.standing().proven()).as("never right about enough keys").isFalse();
		this.trust = proof(20, 2, false, false);
		this.filter.refresh().join();
		assertThat(this.filter.standing().proven()).isTrue();
		this.filter.refresh().join();
		this.trust = proof(20, 2, true, false);
		this.filter.refresh().join();
		this.filter.require(requirements(1000, 1000));
		assertThat(this.filter.standing().proven()).as("once for all").isTrue();
		this.filter.refresh().join();
		InOrder told = inOrder(this.control);
		told.verify(this.control).refresh(Evidence.NONE);
		told.verify(this.control).refresh(new Evidence(List.of("00000061"), List.of(), List.of(), false, false));
		told.verify(this.control).refresh(Evidence.NONE);
		told.verify(this.control, times(2)).refresh(new Evidence(List.of(), List.of(), List.of(), true, false));
		told.verify(this.control).refresh(Evidence.NONE);
	}

	@Test
	void notMoreKeysHaveToBeFoundThanThereAreUnlessAllOfThemWereAdded() {
		this.active = "first";
		this.filter.require(requirements(100, 3));
		this.trust = proof(100, 3, false, false);
		this.filter.refresh().join();
		assertThat(this.filter.standing().proven()).isTrue();
		this.trust = proof(100, 3, false, true);
		this.filter.refresh().join();
		assertThat(this.filter.standing().proven()).as("nothing was loaded").isFalse();
		this.filter.require(requirements(100, 0));
		this.trust = proof(100, 0, false, false);
		this.filter.refresh().join();
		assertThat(this.filter.standing().proven()).as("never right").isFalse();
	}

	@Test
	void refreshThatCouldNotEvenAskIsFollowedByOthers() {
		this.active = "first";
		given(this.control.refresh(any(Evidence.class))).willThrow(new RedissonShutdownException("closing"))
			.willReturn(CompletableFuture.completedFuture(record()));
		assertThat(this.filter.refresh().join()).isFalse();
		assertThat(this.filter.state()).isEqualTo(FilterState.UNREACHABLE);
		assertThat(this.filter.refresh().join()).isTrue();
		assertThat(this.filter.state()).isEqualTo(FilterState.READY);
	}

	@Test
	void mirrorThatIsGivenUpWhileItIsAskedGivesNoAnswer() {
		AtomicBoolean ends = new AtomicBoolean();
		useMirror(() -> {
			if (ends.get()) {
				this.filter.close();
			}
		});
		assertThat(this.filter.lookupInMemory(this.filter.snapshot(), "a")).isEqualTo(Membership.ABSENT);
		ends.set(true);
		assertThat(this.filter.lookupInMemory(this.filter.snapshot(), "a")).isEqualTo(Membership.UNKNOWN);
	}

	@Test
	void whatWasFoundSinceTheLastRefreshIsReportedWhenItIsClosed() {
		given(this.control.channel()).willReturn(mock());
		this.filter.refresh().join();
		this.filter.evidence().noteWrong("a");
		this.filter.close().join();
		then(this.control).should().refresh(argThat((Evidence reported) -> reported.wrong().size() == 1));
	}

	private void useMirror(Runnable whenAsked) {
		MirrorChannel channel = mock();
		given(this.control.channel()).willReturn(channel);
		given(channel.instance()).willReturn("this");
		given(channel.open(any())).willReturn(CompletableFuture.completedFuture(null));
		given(channel.announceEnd(any())).willReturn(CompletableFuture.completedFuture(null));
		given(this.control.acquireMirrorLease(any()))
			.willReturn(CompletableFuture.completedFuture(new MirrorLease(new JournalPosition(9_000, 0), 1, 10_000)));
		given(this.control.releaseMirrorLease(any())).willReturn(CompletableFuture.completedFuture(null));
		given(this.control.refresh(any(Evidence.class), any(), any())).willAnswer((invocation) -> CompletableFuture
			.completedFuture(new Renewal(record(), true, new JournalPage(List.of(), Set.of(), ""), false)));
		given(this.bits.copy(any())).willReturn(Optional.of(new EmptyCopy(whenAsked)));
		this.active = "first";
		this.filter.refresh().join();
		this.filter.refresh().join();
	}

	@Test
	void keyThatWasAddedWithinTheTimeBeforeItsRemovalIsLeft() {
		given(this.control.remove(any(), anyLong(), anyLong())).willReturn(CompletableFuture.completedFuture(0L));
		this.filter.remove(List.of("a"), 10_000, Duration.ofSeconds(1)).join();
		then(this.control).should().remove(List.of("a"), 10_000, 9_000);
	}

	private static Requirements requirements(int calls, long insertions) {
		return new Requirements(calls, Duration.ZERO, Mode.BEHIND, false, null, () -> insertions);
	}

	private static Trust proof(long absent, long found, boolean complete, boolean empty) {
		return new Trust(Rollout.OVER, new Proof(absent, found, complete, empty), Doubt.NONE);
	}

	private ControlRecord record() {
		List<Generation> generations = (this.active != null) ? List
			.of(new Generation(this.active, SPECIFICATION, 1000, "salt", this.origin, Instant.EPOCH, Phase.ACTIVE))
				: List.of();
		return new ControlRecord(++this.epoch, generations, this.trust, this.sameServer, 1, this.journalEnd, 10_000, 1,
				0, null);
	}

	private record EmptyCopy(Runnable whenAsked) implements FilterCopy {

		@Override
		public CompletableFuture<Boolean> load() {
			return CompletableFuture.completedFuture(true);
		}

		@Override
		public boolean add(String element) {
			throw new UnsupportedOperationException();
		}

		@Override
		public boolean mightContain(String element) {
			this.whenAsked.run();
			return false;
		}

	}

}
