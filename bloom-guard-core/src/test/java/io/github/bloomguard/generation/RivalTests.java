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
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what is believed beside another version with other keys.
 */
class RivalTests {

	private static final String ORIGIN = "id-shop.one+two-1";

	private static final Duration SETTLE = Duration.ofMinutes(10);

	private static final long MINUTE = Duration.ofMinutes(1).toMillis();

	private static final long ARRIVED = 1000 * MINUTE;

	@ParameterizedTest
	@ValueSource(strings = { "sku-shop.one-1", "sku-shop.three+two-7", "sku-shop.?-1", "sku-shop.?-unknown",
			"sku-shop.?+three-1" })
	void versionsWithOtherKeysThatMayReadTheSameDatabaseAreRivals(String other) {
		assertThat(Origin.areRivals(ORIGIN, other)).isTrue();
		assertThat(Origin.areRivals(other, ORIGIN)).isTrue();
	}

	@ParameterizedTest
	@ValueSource(strings = { "id-shop.one+two-1", "id-shop.one+two-2", "id-shop.?-unknown", "sku-stock.one-1",
			"sku-stock.?-unknown", "sku-shop.three-1", "sku-shop.on-1", "sku-shop.-1", "another", "sku-shop" })
	void othersAreNot(String other) {
		assertThat(Origin.areRivals(ORIGIN, other)).isFalse();
		assertThat(Origin.areRivals(other, ORIGIN)).isFalse();
	}

	@Test
	void whatIsNotKnownYetMayBeAnyDatabase() {
		Origin origin = new Origin("sku", "shop", () -> "one-1", () -> "1", false);
		assertThat(Origin.areRivals(ORIGIN, origin.value())).isTrue();
		origin.use(origin.lookUp(null));
		assertThat(origin.value()).isEqualTo("sku-shop.one-1");
	}

	@Test
	void generationIsBelievedThatWasBegunWhenTheRivalHadBeenGoneForLongEnough() {
		long rival = ARRIVED + 100 * MINUTE;
		assertThat(new Rollout(ARRIVED, rival - MINUTE, rival, 0, 0).isOver(SETTLE)).isFalse();
		assertThat(new Rollout(ARRIVED, rival + 10 * MINUTE, rival, 0, 0).isOver(SETTLE)).isFalse();
		assertThat(new Rollout(ARRIVED, rival + 11 * MINUTE, rival, 0, 0).isOver(SETTLE)).isTrue();
		assertThat(new Rollout(rival + 5 * MINUTE, rival + 11 * MINUTE, rival, 0, 0).isOver(SETTLE)).isFalse();
	}

	@Test
	void nothingIsLoadedAgainBeforeTheRivalHasBeenGoneForLongEnough() {
		long rival = ARRIVED + 100 * MINUTE;
		Rollout rollout = new Rollout(ARRIVED, rival - MINUTE, rival, 0, 0);
		assertThat(rollout.isOverIn(SETTLE, rival + 10 * MINUTE, Duration.ofDays(1))).isFalse();
		assertThat(rollout.isOverIn(SETTLE, rival + 11 * MINUTE, Duration.ZERO)).isTrue();
	}

	@Test
	void whereAllAddTheSameKeysOnlyWhoComesBackIsLoadedAgain() {
		long rival = ARRIVED + 100 * MINUTE;
		assertThat(new Rollout(ARRIVED, ARRIVED, rival, ARRIVED, 0).isOver(Duration.ZERO)).isTrue();
		Rollout back = new Rollout(ARRIVED, ARRIVED, rival, rival - MINUTE, 0);
		assertThat(back.isOver(Duration.ZERO)).isFalse();
		assertThat(back.isOverIn(Duration.ZERO, rival - MINUTE, Duration.ZERO)).isTrue();
		assertThat(new Rollout(ARRIVED, rival - MINUTE, rival, rival - MINUTE, 0).isOver(Duration.ZERO)).isTrue();
		assertThat(new Rollout(ARRIVED, rival + MINUTE, rival, rival + 2 * MINUTE, 0).isOver(Duration.ZERO)).isTrue();
	}

	@Test
	void rivalsOfAnotherVersionOfBloomGuardWriteOtherForms() {
		String one = Origin.located(Origin.inThisForm("id"), "shop", "one-1");
		for (String other : List.of("99_id-shop.one-1", "id-shop.one-1", "99_sku-shop.?-unknown")) {
			assertThat(Origin.areRivals(one, other)).isTrue();
			assertThat(Origin.writeOtherForms(one, other)).isTrue();
			assertThat(Origin.writeOtherForms(other, one)).isTrue();
		}
		assertThat(Origin.writeOtherForms(one, Origin.located(Origin.inThisForm("sku"), "shop", "one-1_2~A_B:ab")))
			.isFalse();
	}

	@Test
	void whatIsThereBesideAnotherFormIsLoadedAgainEvenIfAllAddTheSameKeys() {
		long foreign = ARRIVED + 100 * MINUTE;
		long gone = foreign + ControlRecord.LEASE_ENDS.toMillis();
		Rollout rollout = new Rollout(ARRIVED, ARRIVED, foreign, ARRIVED, foreign);
		assertThat(rollout.isOver(Duration.ZERO)).isFalse();
		assertThat(rollout.isRivalledInAnotherForm(Duration.ZERO)).isTrue();
		assertThat(rollout.isOverIn(Duration.ZERO, gone - 1, Duration.ofDays(1))).isFalse();
		assertThat(rollout.isOverIn(Duration.ZERO, gone, Duration.ZERO)).isTrue();
		assertThat(new Rollout(ARRIVED, gone - 1, foreign, ARRIVED, foreign).isOver(Duration.ZERO)).isFalse();
		Rollout loaded = new Rollout(ARRIVED, gone, foreign, ARRIVED, foreign);
		assertThat(loaded.isOver(Duration.ZERO)).isTrue();
		assertThat(loaded.isRivalledInAnotherForm(Duration.ZERO)).isFalse();
		assertThat(new Rollout(ARRIVED, gone, foreign + 10 * MINUTE, ARRIVED, foreign).isOver(Duration.ZERO))
			.as("one of this form is there, too")
			.isTrue();
	}

	@Test
	void versionAddsWhenItsRivalsKnowOfIt() {
		assertThat(leasesEndIn(ARRIVED, ARRIVED + 1000, ARRIVED)).isEqualTo(ControlRecord.LEASE_ENDS.minusMillis(1000));
		assertThat(leasesEndIn(ARRIVED, ARRIVED + ControlRecord.LEASE_ENDS.toMillis(), ARRIVED)).isZero();
		assertThat(leasesEndIn(ARRIVED, ARRIVED + 1000, ARRIVED + MINUTE)).as("the clock was set back")
			.isEqualTo(ControlRecord.LEASE_ENDS);
		assertThat(leasesEndIn(ARRIVED - 3 * MINUTE, ARRIVED + 1000, ARRIVED)).as("nobody is there").isZero();
		assertThat(leasesEndIn(0, ARRIVED + 1000, ARRIVED)).as("there was nobody").isZero();
	}

	private static Duration leasesEndIn(long rival, long now, long returned) {
		return new ControlRecord(1, List.of(), new Trust(new Rollout(0, 0, rival, returned, 0), Proof.NONE, Doubt.NONE),
				true, 1, JournalPosition.START, now, 0, 0, null)
			.leasesEndIn();
	}

}
