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
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.Doubt;
import io.github.bloomguard.generation.Evidence;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.Proof;
import io.github.bloomguard.generation.Rollout;
import io.github.bloomguard.generation.Trust;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CallEvidence}.
 */
class CallEvidenceTests {

	private static final String ORIGIN = "id-shop.one-1";

	private final AtomicInteger judged = new AtomicInteger();

	private final CallEvidence evidence = new CallEvidence(() -> this.standing, this.judged::incrementAndGet);

	private Standing standing = standing(record(Trust.NONE, 0));

	private Standing standing(ControlRecord record) {
		return Standing.of(record, true, false, FilterMode.ENFORCE,
				new Requirements(100, Duration.ZERO, Mode.BEHIND, false, null, () -> 1000), this.evidence,
				Duration.ZERO);
	}

	private static ControlRecord record(Trust trust, long created) {
		return new ControlRecord(1, List.of(), trust, true, 1, JournalPosition.START, 10_000, created, 0, null);
	}

	private void read(long absent, long found, Doubt doubt, long created) {
		ControlRecord record = record(new Trust(new Rollout(0, 1), new Proof(absent, found, false, false), doubt),
				created);
		this.standing = standing(record);
		this.evidence.rememberProof(record, ORIGIN, this.standing);
	}

	@Test
	void evidenceIsKeptUntilItWasReported() {
		this.evidence.noteAbsent("a");
		this.evidence.noteFound("b");
		Evidence evidence = this.evidence.evidence();
		assertThat(evidence.absent()).hasSize(1);
		assertThat(evidence.found()).hasSize(1).isNotEqualTo(evidence.absent());
		assertThat(this.evidence.evidence()).as("the report may have been lost").isEqualTo(evidence);
		this.evidence.reported(evidence);
		assertThat(this.evidence.evidence()).isEqualTo(Evidence.NONE);
	}

	@Test
	void evidenceOfFloodsIsBounded() {
		IntStream.range(0, 5000).forEach((i) -> this.evidence.noteAbsent("key " + i));
		assertThat(this.evidence.evidence().absent()).hasSizeLessThanOrEqualTo(1000);
	}

	@Test
	void moreThanIsRequiredIsNotNoted() {
		read(100, 0, Doubt.NONE, 0);
		this.evidence.noteAbsent("a");
		this.evidence.noteFound("b");
		assertThat(this.evidence.evidence().absent()).isEmpty();
		assertThat(this.evidence.evidence().found()).hasSize(1);
		read(0, 100, Doubt.NONE, 0);
		this.evidence.noteFound("c");
		assertThat(this.evidence.evidence().found()).hasSize(1);
		assertThat(this.evidence.evidence().complete()).isTrue();
	}

	@Test
	void standingIsComputedAnewWhenSomethingWasWrong() {
		this.evidence.noteAbsent("a");
		this.evidence.noteFound("b");
		assertThat(this.judged).hasValue(0);
		this.evidence.noteWrong("c");
		assertThat(this.judged).hasValue(1);
		assertThat(this.evidence.isWrong()).isTrue();
		this.evidence.noteCallersOnly();
		assertThat(this.judged).hasValue(2);
		this.evidence.reported(this.evidence.evidence());
		assertThat(this.evidence.isWrong()).isFalse();
		assertThat(this.evidence.isCallersOnly()).isFalse();
	}

	@Test
	void proofThatALostRecordHadIsReportedAgain() {
		read(100, 10, Doubt.NONE, 0);
		read(0, 0, Doubt.NONE, 5);
		assertThat(this.evidence.evidence().complete()).isTrue();
		read(0, 0, new Doubt(1, 9_999, 9_999, 0), 5);
		assertThat(this.evidence.evidence().complete()).as("it was wrong").isFalse();
	}

}
