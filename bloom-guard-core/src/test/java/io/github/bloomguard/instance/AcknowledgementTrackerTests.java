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

import ch.qos.logback.classic.Level;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.ControlStore.Appended;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.LeaseHolder;
import io.github.bloomguard.generation.MirrorChannel;
import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.generation.Trust;
import io.github.bloomguard.instance.AcknowledgementTracker.PendingAdd;
import io.github.bloomguard.testsupport.LogLines;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.as;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;

/**
 * Tests for {@link AcknowledgementTracker}.
 */
class AcknowledgementTrackerTests {

	private static final LeaseHolder HOLDER = new LeaseHolder("other", "second");

	private static final JournalPosition POSITION = new JournalPosition(7, 1);

	private final ControlStore control = mock();

	private final MirrorChannel channel = mock();

	private final List<CompletableFuture<Void>> leases = new ArrayList<>();

	private final AcknowledgementTracker tracker = new AcknowledgementTracker("products", this.control,
			new MonotonicClock() {

				@Override
				public long nanoTime() {
					return 0;
				}

				@Override
				public CompletableFuture<Void> after(Duration delay) {
					assertThat(delay).isBetween(ControlRecord.LEASE, ControlRecord.LEASE.plusMillis(100));
					AcknowledgementTrackerTests.this.leases.add(new CompletableFuture<>());
					return AcknowledgementTrackerTests.this.leases
						.get(AcknowledgementTrackerTests.this.leases.size() - 1);
				}

			});

	@BeforeEach
	void answer() {
		given(this.control.channel()).willReturn(this.channel);
		given(this.channel.instance()).willReturn("this");
		given(this.control.revokeMirrorLease(any(), any())).willReturn(CompletableFuture.completedFuture(true));
	}

	@Test
	void confirmationOfAFormerMirrorOfTheSameInstanceDoesNotCount() {
		PendingAdd pending = this.tracker.expect();
		CompletableFuture<Void> end = pending.await(appended(HOLDER));
		this.tracker.acknowledged(pending.sender().token(), new LeaseHolder("other", "first"));
		this.tracker.applied(new LeaseHolder("other", "first"), POSITION);
		this.tracker.ended(new LeaseHolder("other", "first"));
		assertThat(end).isNotDone();
		this.tracker.acknowledged(pending.sender().token(), HOLDER);
		assertThat(end).isCompleted();
	}

	@Test
	void acknowledgementOfOtherKeysDoesNotCount() {
		PendingAdd former = this.tracker.expect();
		PendingAdd pending = this.tracker.expect();
		CompletableFuture<Void> end = pending.await(appended(HOLDER));
		this.tracker.acknowledged(former.sender().token(), HOLDER);
		this.tracker.applied(HOLDER, new JournalPosition(7, 0));
		assertThat(end).isNotDone();
		this.tracker.applied(HOLDER, POSITION);
		assertThat(end).isCompleted();
		then(this.control).should(never()).revokeMirrorLease(any(), any());
	}

	@Test
	void mirrorThatDoesNotAnswerIsLoggedOnceByTheInstanceThatWaited() {
		LeaseHolder answering = new LeaseHolder("another", "first");
		try (LogLines lines = LogLines.of(AcknowledgementTracker.class, Level.INFO)) {
			List<PendingAdd> pending = List.of(this.tracker.expect(), this.tracker.expect());
			List<CompletableFuture<Void>> ends = pending.stream()
				.map((add) -> add.await(appended(HOLDER, answering)))
				.toList();
			pending.forEach((add) -> this.tracker.acknowledged(add.sender().token(), answering));
			assertThat(lines.lines()).isEmpty();
			this.leases.forEach((lease) -> lease.complete(null));
			assertThat(ends).allSatisfy((end) -> assertThat(end).isCompleted());
			assertThat(lines.lines()).singleElement(as(STRING))
				.startsWith("WARN")
				.contains("The mirror of the filter 'products' in the instance other did not answer, and an add waited"
						+ " 2.0 s for it");
		}
	}

	@Test
	void confirmationThatOvertakesTheReplyCounts() {
		PendingAdd pending = this.tracker.expect();
		this.tracker.acknowledged(pending.sender().token(), HOLDER);
		assertThat(pending.await(appended(HOLDER))).isCompleted();
		assertThat(this.leases).isEmpty();
	}

	@Test
	void eachMirrorIsWaitedForButThatOfThisInstance() {
		LeaseHolder another = new LeaseHolder("another", "first");
		PendingAdd pending = this.tracker.expect();
		CompletableFuture<Void> end = pending.await(appended(HOLDER, new LeaseHolder("this", "first"), another));
		this.tracker.acknowledged(pending.sender().token(), HOLDER);
		assertThat(end).isNotDone();
		this.tracker.ended(another);
		assertThat(end).isCompleted();
		assertThat(this.tracker.count()).isOne();
	}

	@Test
	void mirrorThatIsSilentIsRevokedWhenItsLeaseIsOverAndNotBefore() {
		PendingAdd pending = this.tracker.expect();
		CompletableFuture<Void> end = pending.await(appended(HOLDER));
		assertThat(end).isNotDone();
		then(this.control).should(never()).revokeMirrorLease(any(), any());
		this.leases.get(0).complete(null);
		assertThat(end).isCompleted();
		then(this.control).should().revokeMirrorLease(HOLDER, POSITION);
	}

	@Test
	void nobodyElseWaitsForAMirrorThatWasRevoked() {
		CompletableFuture<Void> first = this.tracker.expect().await(appended(HOLDER));
		CompletableFuture<Void> second = this.tracker.expect().await(appended(HOLDER));
		PendingAdd third = this.tracker.expect();
		this.leases.get(0).complete(null);
		assertThat(first).isCompleted();
		assertThat(second).isCompleted();
		assertThat(third.await(appended(HOLDER))).isCompleted();
		then(this.control).should(times(1)).revokeMirrorLease(any(), any());
	}

	@Test
	void othersGoOnWaitingForAMirrorThatHasReadTheKeysMeanwhile() {
		given(this.control.revokeMirrorLease(any(), any())).willReturn(CompletableFuture.completedFuture(false));
		CompletableFuture<Void> first = this.tracker.expect().await(appended(HOLDER));
		CompletableFuture<Void> second = this.tracker.expect().await(appended(HOLDER));
		this.leases.get(0).complete(null);
		assertThat(first).isCompleted();
		assertThat(second).isNotDone();
	}

	@Test
	void addWaitsNoLongerIfRedisDoesNotAnswerWhenAMirrorIsRevoked() {
		given(this.control.revokeMirrorLease(any(), any())).willReturn(new CompletableFuture<>());
		CompletableFuture<Void> end = this.tracker.expect().await(appended(HOLDER));
		this.leases.get(0).complete(null);
		assertThat(end).isCompleted();
	}

	private static Appended appended(LeaseHolder... holders) {
		return new Appended(
				new ControlRecord(1, List.of(), Trust.NONE, true, 1, JournalPosition.START, 10_000, 1, 0, null),
				Set.of(), List.of(holders), POSITION);
	}

}
