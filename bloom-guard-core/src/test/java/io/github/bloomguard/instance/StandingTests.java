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

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.Doubt;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.Proof;
import io.github.bloomguard.generation.Rollout;
import io.github.bloomguard.generation.Trust;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Standing}, computed from records as they would be read.
 */
class StandingTests {

	private static final Duration SETTLE = Duration.ofMinutes(10);

	private static final long NOW = Duration.ofDays(1).toMillis();

	private static final Proof PROVEN = new Proof(100, 10, false, false);

	private Requirements required = requirements(Mode.BEHIND, false, 1000);

	private final CallEvidence found = new CallEvidence(() -> of(Trust.NONE), () -> {
	});

	private static Requirements requirements(Mode verification, boolean callersOnly, long insertions) {
		return new Requirements(100, SETTLE, verification, callersOnly, null, () -> insertions);
	}

	private Standing of(Trust trust) {
		return of(trust, FilterMode.ENFORCE, Duration.ZERO);
	}

	private Standing of(Trust trust, FilterMode mode, Duration running) {
		ControlRecord record = new ControlRecord(1, List.of(), trust, true, 1, JournalPosition.START, NOW, 0, 0, null);
		return Standing.of(record, true, false, mode, this.required, this.found, running);
	}

	private static Trust proof(long absent, long found) {
		return new Trust(Rollout.OVER, new Proof(absent, found, false, false), Doubt.NONE);
	}

	/**
	 * Return a filter of which a key was found to be wrong at a time.
	 */
	private static Trust wrongAt(long at, Proof proof) {
		return new Trust(new Rollout(0, NOW - Duration.ofHours(1).toMillis()), proof, new Doubt(1, at, at, 0));
	}

	@Test
	void nothingIsAnsweredBeforeKeysAreLoadedOrWhenTheyAreLost() {
		Standing loading = Standing.of(null, false, false, FilterMode.ENFORCE, this.required, this.found,
				Duration.ZERO);
		assertThat(loading.state()).isEqualTo(FilterState.LOADING);
		Standing lost = Standing.of(null, false, true, FilterMode.ENFORCE, this.required, this.found, Duration.ZERO);
		assertThat(lost.state()).isEqualTo(FilterState.LOST);
		assertThat(List.of(loading, lost)).noneMatch(Standing::asked)
			.noneMatch(Standing::answering)
			.noneMatch(Standing::loadDue);
	}

	@Test
	void filterIsBelievedWhenBothKindsOfKeysHaveProvenIt() {
		Standing unproven = of(proof(0, 0));
		assertThat(unproven.state()).isEqualTo(FilterState.PROVING);
		assertThat(unproven.asked()).isTrue();
		assertThat(unproven.answering()).isFalse();
		assertThat(unproven.reason()).contains("0 of 100 different keys that it calls absent", "0 of 10 that it lets");
		assertThat(of(proof(100, 9)).proven()).as("one of the wrong column calls all keys absent").isFalse();
		assertThat(of(proof(99, 99)).proven()).isFalse();
		assertThat(of(proof(0, 100)).proven()).as("existing keys are a proof by themselves").isTrue();
		Standing proven = of(proof(100, 10));
		assertThat(proven.state()).isEqualTo(FilterState.READY);
		assertThat(proven.answering()).isTrue();
		assertThat(proven.reason()).isNull();
	}

	@Test
	void proofThatWasOnceEnoughStaysSoWhateverIsRequiredLater() {
		assertThat(of(new Trust(Rollout.OVER, new Proof(1, 1, true, false), Doubt.NONE)).proven()).isTrue();
	}

	@Test
	void filterOfFewKeysIsProvenByAllOfThemUnlessTheyWereAllAdded() {
		this.required = requirements(Mode.BEHIND, false, 3);
		assertThat(of(proof(100, 3)).proven()).isTrue();
		assertThat(of(new Trust(Rollout.OVER, new Proof(100, 3, false, true), Doubt.NONE)).proven())
			.as("nothing was loaded")
			.isFalse();
		this.required = requirements(Mode.BEHIND, false, 0);
		assertThat(of(proof(100, 0)).proven()).isFalse();
	}

	@Test
	void filterThatWasLoadedDuringARolloutIsProvisional() {
		long arrived = NOW - SETTLE.toMillis();
		Standing settling = of(new Trust(new Rollout(arrived, arrived + 1), PROVEN, Doubt.NONE));
		assertThat(settling.state()).isEqualTo(FilterState.SETTLING);
		assertThat(settling.answering()).isFalse();
		assertThat(settling.settlesAt()).isEqualTo(Instant.ofEpochMilli(NOW));
		assertThat(settling.loadDue()).as("loaded now, it would not be").isTrue();
		assertThat(settling.reason()).contains("older instances may still insert rows");
		Standing settled = of(new Trust(new Rollout(arrived, NOW), PROVEN, Doubt.NONE));
		assertThat(settled.state()).isEqualTo(FilterState.READY);
		assertThat(settled.settlesAt()).isNull();
		assertThat(settled.loadDue()).isFalse();
		Standing arriving = of(new Trust(new Rollout(NOW - 1, NOW), PROVEN, Doubt.NONE));
		assertThat(arriving.loadDue()).as("it would be provisional again").isFalse();
		assertThat(of(arriving.trust(), FilterMode.ENFORCE, SETTLE).loadDue()).as("has been running for as long")
			.isTrue();
	}

	@Test
	void filterThatIsWrongBeforeItIsProvenIsNotAskedUntilItIsLoadedAgainOrTenMinutesHavePassed() {
		Standing refuted = of(wrongAt(NOW - 1, Proof.NONE));
		assertThat(refuted.state()).isEqualTo(FilterState.REFUTED);
		assertThat(refuted.asked()).isFalse();
		assertThat(refuted.reason()).contains("a key was found that it called absent");
		assertThat(refuted.loadDue()).isTrue();
		Trust loaded = new Trust(new Rollout(0, NOW - 1), Proof.NONE, new Doubt(1, NOW - 2, NOW - 2, 0));
		assertThat(of(loaded).state()).isEqualTo(FilterState.PROVING);
		Standing later = of(wrongAt(NOW - Doubt.LASTING.toMillis(), Proof.NONE));
		assertThat(later.state()).as("where nothing can be loaded").isEqualTo(FilterState.PROVING);
	}

	@Test
	void provenFilterThatIsWrongVerifiesBeforeItAnswersForTenMinutesAndIsLoadedAgain() {
		long at = NOW - Doubt.LASTING.toMillis() + 1;
		Standing doubted = of(wrongAt(at, PROVEN));
		assertThat(doubted.state()).isEqualTo(FilterState.READY);
		assertThat(doubted.answering()).isTrue();
		assertThat(doubted.doubted()).isTrue();
		assertThat(doubted.verification()).isEqualTo(Mode.BEFORE);
		assertThat(doubted.beforeUntil()).isEqualTo(Instant.ofEpochMilli(NOW + 1));
		assertThat(doubted.loadDue()).isTrue();
		Standing later = of(wrongAt(at - 1, PROVEN));
		assertThat(later.verification()).isEqualTo(Mode.BEHIND);
		assertThat(later.beforeUntil()).isNull();
		Standing acknowledged = of(new Trust(Rollout.OVER, PROVEN, doubted.trust().doubt().acknowledged()));
		assertThat(acknowledged.verification()).isEqualTo(Mode.BEHIND);
		assertThat(acknowledged.loadDue()).isFalse();
	}

	@Test
	void whatThisInstanceHasFoundCountsBeforeItIsReported() {
		this.found.noteWrong("a");
		assertThat(of(proof(100, 10)).verification()).isEqualTo(Mode.BEFORE);
		assertThat(of(proof(100, 10)).beforeUntil()).isEqualTo(Instant.ofEpochMilli(NOW).plus(Doubt.LASTING));
		assertThat(of(proof(0, 0)).state()).isEqualTo(FilterState.REFUTED);
		this.found.reported(this.found.evidence());
		assertThat(of(proof(100, 10)).verification()).isEqualTo(Mode.BEHIND);
		this.found.noteCallersOnly();
		assertThat(of(proof(100, 10)).callersOnly()).isTrue();
		assertThat(of(proof(100, 10)).verification()).isEqualTo(Mode.BEFORE);
	}

	@Test
	void absentAnswersAreLookedUpBeforeTheyAreGivenWhereOnlyCallersCanTell() {
		this.required = requirements(Mode.BEHIND, true, 1000);
		assertThat(of(proof(100, 10)).verification()).isEqualTo(Mode.BEFORE);
		assertThat(of(proof(100, 10)).beforeUntil()).as("it is so for good").isNull();
	}

	@ParameterizedTest
	@EnumSource(value = Mode.class, names = { "BEFORE", "OFF" })
	void otherModesOfVerificationStayWhatTheyAre(Mode mode) {
		this.required = requirements(mode, false, 1000);
		assertThat(of(wrongAt(NOW - 1, PROVEN)).verification()).isEqualTo(mode);
		assertThat(of(proof(100, 10)).verification()).isEqualTo(mode);
	}

	@Test
	void filterThatOnlyWatchesIsAskedAndAnswersNothing() {
		Standing shadow = of(proof(100, 10), FilterMode.SHADOW, Duration.ZERO);
		assertThat(shadow.state()).isEqualTo(FilterState.SHADOW);
		assertThat(shadow.asked()).isTrue();
		assertThat(shadow.answering()).isFalse();
		assertThat(shadow.reason()).isNull();
		assertThat(of(proof(0, 0), FilterMode.SHADOW, Duration.ZERO).reason())
			.startsWith("it answers nothing in this mode; with enforce: it is loaded, and proves itself");
		assertThat(of(wrongAt(NOW - 1, Proof.NONE), FilterMode.SHADOW, Duration.ZERO).state())
			.isEqualTo(FilterState.REFUTED);
	}

	@Test
	void filterThatIsOffAnswersNothing() {
		Standing off = of(proof(100, 10), FilterMode.OFF, Duration.ZERO);
		assertThat(off.state()).isEqualTo(FilterState.OFF);
		assertThat(off.answering()).isFalse();
	}

}
