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
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.IntStream;

import io.github.bloomguard.circuit.CircuitBreaker;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.ControlStore.Appended;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.LeaseHolder;
import io.github.bloomguard.generation.MirrorChannel;
import io.github.bloomguard.generation.MirrorChannel.Sender;
import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.generation.Trust;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;

/**
 * Tests for {@link LiveWriter} with a Redis whose answers are there at once.
 */
class LiveWriterTests {

	private static final JournalPosition APPENDED = new JournalPosition(7, 1);

	private static final LeaseHolder HOLDER = new LeaseHolder("other", "first");

	private final ControlStore control = mock();

	private final MirrorChannel channel = mock();

	private final List<Sender> senders = new ArrayList<>();

	private final List<CompletableFuture<Void>> alarms = new ArrayList<>();

	private final MonotonicClock clock = new MonotonicClock() {

		@Override
		public long nanoTime() {
			return LiveWriterTests.this.now.toNanos();
		}

		@Override
		public CompletableFuture<Void> after(Duration delay) {
			if (delay.isZero()) {
				return CompletableFuture.completedFuture(null);
			}
			LiveWriterTests.this.alarms.add(new CompletableFuture<>());
			return LiveWriterTests.this.alarms.get(LiveWriterTests.this.alarms.size() - 1);
		}

	};

	private final Mirrors mirrors = new Mirrors(this.control, new FilterSettingsBuilder().build(), this.clock, () -> {
	});

	private final LiveWriter writer = new LiveWriter(this.control,
			new LatestSnapshot(mock(FilterStore.class), this.control, mock(), LatestSnapshot.Choice.OF_ORIGIN),
			CircuitBreaker.ofFilters(Duration.ofSeconds(10), Duration.ofSeconds(10)), this.clock, this.mirrors,
			Duration.ofSeconds(10));

	private List<LeaseHolder> holders = List.of();

	private Duration now = Duration.ZERO;

	/**
	 * How long the first append takes, and each of the others.
	 */
	private Duration first = Duration.ZERO;

	private Duration each = Duration.ZERO;

	private long epoch = 1;

	private boolean sameServer = true;

	private JournalPosition journalEnd = APPENDED;

	@BeforeEach
	void answer() {
		given(this.control.channel()).willReturn(this.channel);
		given(this.channel.instance()).willReturn("this");
		given(this.channel.open(any())).willReturn(CompletableFuture.completedFuture(null));
		given(this.control.append(any(), any(), any(), any())).willAnswer((invocation) -> {
			this.senders.add(invocation.getArgument(2));
			this.now = this.now.plus((this.senders.size() == 1) ? this.first : this.each);
			return CompletableFuture.completedFuture(new Appended(record(), Set.of(), this.holders, APPENDED));
		});
		given(this.control.confirm()).willAnswer((invocation) -> CompletableFuture.completedFuture(record()));
	}

	@Test
	void keysThatCanNotBeAddedInTimeAreRefusedWhenTheirPaceIsKnown() {
		this.each = Duration.ofMillis(100);
		assertThat(this.writer.add(keys(200_000))).failsWithin(Duration.ZERO)
			.withThrowableThat()
			.havingCause()
			.isInstanceOf(TooManyKeysException.class)
			.withMessage("200000 are too many to be added together: at the present pace they take about 39 s, and all"
					+ " keys of a call or transaction have to be added within 10 s. Add at most 50000 together, or"
					+ " raise bloom-guard.add-timeout to the time that they take");
		assertThat(this.senders).as("the others are not sent").hasSize(10);
	}

	@Test
	void asManyKeysAsThereIsTimeForAreAddedAlsoIfOneWaits() {
		this.first = Duration.ofSeconds(3);
		this.each = Duration.ofMillis(15);
		assertThat(this.writer.add(keys(200_000))).isCompletedWithValue(1L);
		assertThat(this.senders).hasSize(400);
	}

	@Test
	void nothingIsSentAnyMoreWhenItsCallerHasGivenUp() {
		this.first = Duration.ofSeconds(11);
		assertThat(this.writer.add(keys(20_000))).isCompletedExceptionally();
		assertThat(this.senders).hasSize(10);
	}

	private static List<String> keys(int number) {
		return IntStream.range(0, number).mapToObj(String::valueOf).toList();
	}

	@Test
	void addThatHasWaitedLongForAMirrorLooksAtTheRecordAfterThat() {
		this.holders = List.of(HOLDER);
		CompletableFuture<Long> added = this.writer.add(List.of("a"));
		assertThat(added).isNotDone();
		then(this.control).should(never()).confirm();
		this.epoch = 2; // the record is lost, with what was appended
		this.holders = List.of();
		this.now = ControlRecord.PROMPT.plusNanos(1);
		this.mirrors.acknowledged(this.senders.get(0).token(), HOLDER);
		assertThat(added).isCompletedWithValue(2L);
		then(this.control).should(times(2)).append(any(), any(), any(), any());
	}

	@Test
	void addThatHasWaitedBecauseOfAnotherServerLooksAtTheRecordAfterThat() {
		this.sameServer = false;
		CompletableFuture<Long> added = this.writer.add(List.of("a"));
		assertThat(added).isNotDone();
		this.epoch = 2;
		this.sameServer = true;
		this.alarms.get(0).complete(null);
		assertThat(added).isCompletedWithValue(2L);
		then(this.control).should(times(2)).append(any(), any(), any(), any());
	}

	@Test
	void slowAddThatTheJournalHasLostIsMadeAgain() {
		this.holders = List.of(HOLDER);
		CompletableFuture<Long> added = this.writer.add(List.of("a"));
		this.journalEnd = new JournalPosition(7, 0);
		this.holders = List.of();
		this.now = ControlRecord.PROMPT.plusNanos(1);
		this.mirrors.acknowledged(this.senders.get(0).token(), HOLDER);
		assertThat(added).isCompletedWithValue(1L);
		then(this.control).should(times(2)).append(any(), any(), any(), any());
	}

	@Test
	void addTakesOneStep() {
		assertThat(this.writer.add(List.of("a"))).isCompletedWithValue(1L);
		then(this.control).should(times(1)).append(any(), any(), any(), any());
		then(this.control).should(never()).confirm();
	}

	@Test
	void addThatHasWaitedForAMirrorShortlyTakesOneStep() {
		this.holders = List.of(HOLDER);
		CompletableFuture<Long> added = this.writer.add(List.of("a"));
		this.now = ControlRecord.PROMPT;
		this.mirrors.acknowledged(this.senders.get(0).token(), HOLDER);
		assertThat(added).isCompletedWithValue(1L);
		then(this.control).should(never()).confirm();
	}

	@Test
	void addLooksAtTheRecordIfReplicasAreToHaveTheKeys() {
		given(this.control.awaitsReplicas()).willReturn(true);
		assertThat(this.writer.add(List.of("a"))).isCompletedWithValue(1L);
		then(this.control).should(times(1)).confirm();
	}

	@Test
	void addOfNothingAsksForNothing() {
		given(this.control.awaitsReplicas()).willReturn(true);
		assertThat(this.writer.add(List.of())).isCompletedWithValue(Long.MAX_VALUE);
		then(this.control).should(never()).confirm();
	}

	@Test
	void keysInSeveralStepsAreLookedAtTogetherIfTheyTookLong() {
		given(this.control.append(any(), any(), any(), any())).willAnswer((invocation) -> {
			this.now = this.now.plus(ControlRecord.PROMPT);
			return CompletableFuture.completedFuture(new Appended(record(), Set.of(), this.holders, APPENDED));
		});
		List<String> keys = IntStream.range(0, 1000).mapToObj(String::valueOf).toList();
		assertThat(this.writer.add(keys)).isCompletedWithValue(1L);
		then(this.control).should(times(2)).append(any(), any(), any(), any());
		then(this.control).should(times(1)).confirm();
	}

	private ControlRecord record() {
		return new ControlRecord(this.epoch, List.of(), Trust.NONE, this.sameServer, 1, this.journalEnd, 10_000, 1, 0,
				null);
	}

}
