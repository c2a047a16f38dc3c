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

package io.github.bloomguard.generation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.generation.ControlStore.Appended;
import io.github.bloomguard.generation.MirrorWaits.Wait;
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
 * Tests for {@link MirrorWaits}.
 */
class MirrorWaitsTests {

	private static final Holder HOLDER = new Holder("other", "second");

	private static final JournalPosition POSITION = new JournalPosition(7, 1);

	private final ControlStore control = mock();

	private final MirrorFeed feed = mock();

	private final List<CompletableFuture<Void>> leases = new ArrayList<>();

	private final MirrorWaits waits = new MirrorWaits(this.control, new MonotonicClock() {

		@Override
		public long nanoTime() {
			return 0;
		}

		@Override
		public CompletableFuture<Void> after(Duration delay) {
			assertThat(delay).isBetween(ControlRecord.TRUST, ControlRecord.TRUST.plusMillis(100));
			MirrorWaitsTests.this.leases.add(new CompletableFuture<>());
			return MirrorWaitsTests.this.leases.get(MirrorWaitsTests.this.leases.size() - 1);
		}

	});

	@BeforeEach
	void answer() {
		given(this.control.feed()).willReturn(this.feed);
		given(this.feed.instance()).willReturn("this");
		given(this.control.strikeOff(any(), any())).willReturn(CompletableFuture.completedFuture(true));
	}

	@Test
	void confirmationOfAFormerMirrorOfTheSameInstanceDoesNotCount() {
		Wait wait = this.waits.expect();
		CompletableFuture<Void> end = wait.await(appended(HOLDER));
		this.waits.confirmed(wait.sender().token(), new Holder("other", "first"));
		this.waits.applied(new Holder("other", "first"), POSITION);
		this.waits.ended(new Holder("other", "first"));
		assertThat(end).isNotDone();
		this.waits.confirmed(wait.sender().token(), HOLDER);
		assertThat(end).isCompleted();
	}

	@Test
	void confirmationOfOtherKeysDoesNotCount() {
		Wait former = this.waits.expect();
		Wait wait = this.waits.expect();
		CompletableFuture<Void> end = wait.await(appended(HOLDER));
		this.waits.confirmed(former.sender().token(), HOLDER);
		this.waits.applied(HOLDER, new JournalPosition(7, 0));
		assertThat(end).isNotDone();
		this.waits.applied(HOLDER, POSITION);
		assertThat(end).isCompleted();
		then(this.control).should(never()).strikeOff(any(), any());
	}

	@Test
	void confirmationThatOvertakesTheReplyCounts() {
		Wait wait = this.waits.expect();
		this.waits.confirmed(wait.sender().token(), HOLDER);
		assertThat(wait.await(appended(HOLDER))).isCompleted();
		assertThat(this.leases).isEmpty();
	}

	@Test
	void eachMirrorIsWaitedForButThatOfThisInstance() {
		Holder another = new Holder("another", "first");
		Wait wait = this.waits.expect();
		CompletableFuture<Void> end = wait.await(appended(HOLDER, new Holder("this", "first"), another));
		this.waits.confirmed(wait.sender().token(), HOLDER);
		assertThat(end).isNotDone();
		this.waits.ended(another);
		assertThat(end).isCompleted();
		assertThat(this.waits.count()).isOne();
	}

	@Test
	void mirrorThatIsSilentIsStruckOffWhenItsLeaseIsOverAndNotBefore() {
		Wait wait = this.waits.expect();
		CompletableFuture<Void> end = wait.await(appended(HOLDER));
		assertThat(end).isNotDone();
		then(this.control).should(never()).strikeOff(any(), any());
		this.leases.get(0).complete(null);
		assertThat(end).isCompleted();
		then(this.control).should().strikeOff(HOLDER, POSITION);
	}

	@Test
	void nobodyElseWaitsForAMirrorThatWasStruckOff() {
		CompletableFuture<Void> first = this.waits.expect().await(appended(HOLDER));
		CompletableFuture<Void> second = this.waits.expect().await(appended(HOLDER));
		Wait third = this.waits.expect();
		this.leases.get(0).complete(null);
		assertThat(first).isCompleted();
		assertThat(second).isCompleted();
		assertThat(third.await(appended(HOLDER))).isCompleted();
		then(this.control).should(times(1)).strikeOff(any(), any());
	}

	@Test
	void othersGoOnWaitingForAMirrorThatHasReadTheKeysMeanwhile() {
		given(this.control.strikeOff(any(), any())).willReturn(CompletableFuture.completedFuture(false));
		CompletableFuture<Void> first = this.waits.expect().await(appended(HOLDER));
		CompletableFuture<Void> second = this.waits.expect().await(appended(HOLDER));
		this.leases.get(0).complete(null);
		assertThat(first).isCompleted();
		assertThat(second).isNotDone();
	}

	@Test
	void addWaitsNoLongerIfRedisDoesNotAnswerWhenAMirrorIsStruckOff() {
		given(this.control.strikeOff(any(), any())).willReturn(new CompletableFuture<>());
		CompletableFuture<Void> end = this.waits.expect().await(appended(HOLDER));
		this.leases.get(0).complete(null);
		assertThat(end).isCompleted();
	}

	private static Appended appended(Holder... holders) {
		return new Appended(new ControlRecord(1, List.of(), Proof.NONE, true, 1, JournalPosition.START, 10_000, 1),
				Set.of(), List.of(holders), POSITION);
	}

}
