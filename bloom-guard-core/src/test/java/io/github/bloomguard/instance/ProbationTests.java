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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Doubt;
import io.github.bloomguard.generation.Evidence;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.Generation.Phase;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.generation.Proof;
import io.github.bloomguard.generation.Rollout;
import io.github.bloomguard.mirror.Mirrors.Refreshed;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link Probation} with records as they would be read.
 */
class ProbationTests {

	private static final String ORIGIN = "id-shop.one-1";

	private static final Duration SETTLE = Duration.ofMinutes(10);

	private static final long NOW = Duration.ofDays(1).toMillis();

	private final FilterStore store = mock();

	private final LatestSnapshot snapshot = new LatestSnapshot(this.store, mock(ControlStore.class));

	private final Generation generation = new Generation("id", new FilterSpecification("products", 1000, 0.01), 1000,
			"salt", ORIGIN, Instant.EPOCH, Phase.ACTIVE);

	private final Probation probation = new Probation(this.snapshot, Origin.of(ORIGIN));

	private long readAt;

	@BeforeEach
	void beIntact() {
		StoredFilter stored = mock();
		given(stored.isIntact()).willReturn(CompletableFuture.completedFuture(true));
		given(this.store.open(any(), any())).willReturn(stored);
		this.probation.require(100, () -> 1000);
		this.probation.settle(SETTLE);
	}

	private void read(Proof proof, Rollout rollout) {
		read(proof, rollout, 0);
	}

	private void read(Proof proof, Rollout rollout, long created) {
		ControlRecord record = new ControlRecord(1, List.of(this.generation), proof, true, 1, JournalPosition.START,
				NOW, created, rollout, null);
		this.snapshot.update(new Refreshed(record, null), this.readAt++, this.snapshot.known(), ORIGIN).join();
		this.probation.read(record);
	}

	private FilterState state() {
		return this.probation.state(this.snapshot.get());
	}

	private static Proof proof(long absent, long found) {
		return new Proof(absent, found, false, null, 0, false, Doubt.NONE);
	}

	@Test
	void filterIsBelievedWhenBothKindsOfKeysHaveProvenIt() {
		read(proof(0, 0), Rollout.OVER);
		assertThat(state()).isEqualTo(FilterState.PROVING);
		read(proof(100, 9), Rollout.OVER);
		assertThat(this.probation.isPassed()).as("one of the wrong column calls all keys absent").isFalse();
		read(proof(99, 10), Rollout.OVER);
		assertThat(this.probation.isPassed()).isFalse();
		read(proof(100, 10), Rollout.OVER);
		assertThat(this.probation.isPassed()).isTrue();
		assertThat(state()).isEqualTo(FilterState.READY);
	}

	@Test
	void filterOfFewKeysIsProvenByAllOfThemUnlessTheyWereAllAdded() {
		this.probation.require(100, () -> 3);
		read(proof(100, 3), Rollout.OVER);
		assertThat(this.probation.isPassed()).isTrue();
		read(new Proof(100, 3, false, null, 0, true, Doubt.NONE), Rollout.OVER);
		assertThat(this.probation.isPassed()).as("nothing was loaded").isFalse();
		this.probation.require(100, () -> 0);
		read(proof(100, 0), Rollout.OVER);
		assertThat(this.probation.isPassed()).isFalse();
	}

	@Test
	void filterThatWasLoadedDuringARolloutIsProvisional() {
		long arrived = NOW - SETTLE.toMillis();
		read(proof(100, 10), new Rollout(arrived, arrived + 1));
		assertThat(state()).isEqualTo(FilterState.SETTLING);
		assertThat(this.probation.isSettledSince(1)).isFalse();
		assertThat(this.probation.isSettleDue(Duration.ZERO)).as("loaded now, it would not be").isTrue();
		read(proof(100, 10), new Rollout(arrived, arrived + SETTLE.toMillis()));
		assertThat(state()).isEqualTo(FilterState.READY);
		assertThat(this.probation.isSettledSince(1)).isTrue();
		assertThat(this.probation.isSettledSince(0)).as("the call began before").isFalse();
		assertThat(this.probation.isSettleDue(Duration.ZERO)).isFalse();
	}

	@Test
	void evidenceIsKeptUntilItWasReported() {
		read(proof(0, 0), Rollout.OVER);
		this.probation.notFound("a");
		this.probation.found("b");
		Evidence evidence = this.probation.evidence();
		assertThat(evidence.absent()).hasSize(1);
		assertThat(evidence.found()).hasSize(1).isNotEqualTo(evidence.absent());
		assertThat(this.probation.evidence()).as("the report may have been lost").isEqualTo(evidence);
		this.probation.reported(evidence);
		assertThat(this.probation.evidence()).isEqualTo(Evidence.NONE);
	}

	@Test
	void evidenceOfFloodsIsBounded() {
		read(proof(0, 0), Rollout.OVER);
		IntStream.range(0, 5000).forEach((i) -> this.probation.notFound("key " + i));
		assertThat(this.probation.evidence().absent()).hasSizeLessThanOrEqualTo(1000);
	}

	@Test
	void filterThatWasWrongIsDoubtedAtOnceAndForTenMinutesByTheRecord() {
		read(proof(100, 10), Rollout.OVER);
		assertThat(this.probation.isDoubted()).isFalse();
		this.probation.wrong("a");
		assertThat(this.probation.isDoubted()).as("before it was reported").isTrue();
		this.probation.reported(this.probation.evidence());
		assertThat(this.probation.isDoubted()).isFalse();
		long wrongAt = NOW - Doubt.LASTING.toMillis() + 1;
		read(new Proof(100, 10, true, null, 0, false, new Doubt(1, wrongAt, wrongAt, 0)),
				new Rollout(0, wrongAt - SETTLE.toMillis()));
		assertThat(this.probation.isDoubted()).isTrue();
		assertThat(this.probation.isReloadDue()).isTrue();
		assertThat(this.probation.beforeUntil()).isEqualTo(Instant.ofEpochMilli(NOW + 1));
		read(new Proof(100, 10, true, null, 0, false, new Doubt(1, wrongAt - 1, wrongAt - 1, 0)), Rollout.OVER);
		assertThat(this.probation.isDoubted()).isFalse();
	}

	@Test
	void proofThatALostRecordHadIsReportedAgain() {
		read(proof(100, 10), Rollout.OVER);
		read(Proof.NONE, Rollout.OVER, 5);
		assertThat(this.probation.evidence().complete()).isTrue();
		read(new Proof(0, 0, false, "id", 0, false, Doubt.NONE), Rollout.OVER, 5);
		assertThat(this.probation.evidence().complete()).as("it was refuted").isFalse();
	}

}
