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

package io.github.bloomguard.guard;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.KeyEquality;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.filter.KeyType;
import io.github.bloomguard.filter.TypedKeys;
import io.github.bloomguard.statistics.FilterStatistics.Outcome;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Tests for a filter that another application owns, and that is only asked.
 */
class ReaderTests {

	private static final Duration LONG = Duration.ofMinutes(3);

	private final Rows rows = new Rows();

	@Test
	void absentKeyIsAnsweredAndExistingOneIsNot() {
		try (FilterUnderTest owner = FilterUnderTest.with(this.rows).verification(Mode.OFF, 0).loaded();
				FilterUnderTest reader = owner.reader()) {
			assertThat(reader.find(-1L)).isNull();
			assertThat(reader.find(1L)).isEqualTo(1L);
			assertThat(this.rows.calls()).containsExactly(1L);
			assertThat(reader.state()).isEqualTo(FilterState.READY);
		}
	}

	@Test
	void keyIsFoundThatTheOwnerAdds() {
		try (FilterUnderTest owner = FilterUnderTest.with(this.rows).loaded();
				FilterUnderTest reader = owner.reader()) {
			this.rows.insert(5000L);
			owner.written().add(List.of(5000L));
			assertThat(reader.find(5000L)).isEqualTo(5000L);
			assertThat(reader.count(Outcome.FALSE_NEGATIVE)).isZero();
		}
	}

	@Test
	void readerLoadsNothingAndIsNoVersionOfTheOwner() {
		try (FilterUnderTest owner = FilterUnderTest.with(this.rows).loaded();
				FilterUnderTest reader = owner.reader()) {
			int scans = this.rows.scans();
			String generation = owner.generation();
			reader.supervise();
			owner.supervise();
			reader.supervise();
			assertThat(this.rows.scans()).isEqualTo(scans);
			assertThat(owner.generation()).isEqualTo(generation);
			assertThat(owner.state()).isEqualTo(FilterState.READY);
		}
	}

	@Test
	void readerSaysThatItWaitsForAnOwnerThatNeverWas() {
		try (FilterUnderTest reader = FilterUnderTest.with(this.rows).reader()) {
			assertThat(reader.find(-1L)).isNull();
			assertThat(this.rows.calls()).containsExactly(-1L);
			assertThat(reader.state()).isEqualTo(FilterState.LOADING);
			assertThat(reader.reason()).contains("waits for its owner, the application 'shop'");
		}
	}

	@Test
	void callsPassUntilTheOwnerHasSettledAndIsProven() {
		try (FilterUnderTest owner = FilterUnderTest.with(this.rows)
			.settle(Duration.ofMinutes(10))
			.requiredCalls(10)
			.loaded(); FilterUnderTest reader = owner.reader()) {
			assertThat(reader.state()).isEqualTo(FilterState.SETTLING);
			owner.pass(Duration.ofMinutes(11));
			owner.supervise();
			reader.refresh();
			assertThat(reader.state()).isEqualTo(FilterState.PROVING);
			assertThat(reader.check(-1L).answered()).isFalse();
			owner.prove(10, 1);
			reader.refresh();
			assertThat(reader.state()).isEqualTo(FilterState.READY);
			assertThat(reader.check(-1L).answered()).isTrue();
		}
	}

	@Test
	void callsOfAReaderProveNothing() {
		try (FilterUnderTest owner = FilterUnderTest.with(this.rows).requiredCalls(10).loaded();
				FilterUnderTest reader = owner.reader()) {
			reader.prove(10, 10);
			owner.refresh();
			assertThat(owner.state()).isEqualTo(FilterState.PROVING);
			assertThat(owner.proof().absent()).isZero();
		}
	}

	@Test
	void callsPassWhileNoInstanceOfTheOwnerIsSeen() {
		try (FilterUnderTest owner = FilterUnderTest.with(this.rows).loaded();
				FilterUnderTest reader = owner.reader()) {
			assertThat(reader.check(-1L).answered()).isTrue();
			reader.pass(LONG);
			assertThat(reader.check(-1L).answered()).isFalse();
			assertThat(reader.reason()).contains("no instance of its owner, the application 'shop', was seen since");
			owner.refresh();
			reader.refresh();
			assertThat(reader.check(-1L).answered()).isTrue();
		}
	}

	@Test
	void rowThatACallBehindTheAnswerFindsMakesBothBelieveTheFilterLess() {
		try (FilterUnderTest owner = FilterUnderTest.with(this.rows).verification(Mode.BEHIND, 10).loaded();
				FilterUnderTest reader = owner.reader()) {
			this.rows.insert(5000L);
			assertThat(reader.find(5000L)).isNull();
			assertThat(this.rows.calls()).containsExactly(5000L);
			reader.report();
			owner.refresh();
			assertThat(reader.count(Outcome.FALSE_NEGATIVE)).isOne();
			assertThat(owner.beforeUntil()).isNotNull();
			assertThat(reader.beforeUntil()).isNotNull();
			assertThat(reader.find(5000L)).isEqualTo(5000L);
		}
	}

	@Test
	void ownerLoadsAgainWhatAReaderHasFoundToBeWrong() {
		try (FilterUnderTest owner = FilterUnderTest.with(this.rows).verification(Mode.BEHIND, 10).loaded();
				FilterUnderTest reader = owner.reader()) {
			owner.pass(Duration.ofSeconds(1));
			reader.refresh();
			this.rows.insert(5000L);
			reader.find(5000L);
			assertThat(owner.has(5000L)).isFalse();
			reader.report();
			owner.pass(Duration.ofSeconds(1));
			owner.supervise();
			assertThat(owner.has(5000L)).isTrue();
		}
	}

	@Test
	void absentAnswerIsVerifiedByTheCallOnlyWithinTheRate() {
		try (FilterUnderTest owner = FilterUnderTest.with(this.rows).verification(Mode.BEHIND, 2).loaded();
				FilterUnderTest reader = owner.reader()) {
			for (long key = -1; key >= -10; key--) {
				assertThat(reader.find(key)).isNull();
			}
			assertThat(this.rows.calls()).hasSize(2);
		}
	}

	@Test
	void callGoesFirstInModeBefore() {
		try (FilterUnderTest owner = FilterUnderTest.with(this.rows).verification(Mode.BEFORE, 10).loaded();
				FilterUnderTest reader = owner.reader()) {
			this.rows.insert(5000L);
			assertThat(reader.find(5000L)).isEqualTo(5000L);
		}
	}

	@Test
	void switchOfTheOwnerHoldsForItsReaders() {
		try (FilterUnderTest owner = FilterUnderTest.with(this.rows).loaded();
				FilterUnderTest reader = owner.reader()) {
			owner.switchTo(FilterMode.OFF);
			reader.refresh();
			assertThat(reader.state()).isEqualTo(FilterState.OFF);
			assertThat(reader.check(-1L).answered()).isFalse();
			owner.takeSwitchBack();
			reader.refresh();
			assertThat(reader.check(-1L).answered()).isTrue();
		}
	}

	@Test
	void shadowOfTheOwnerIsTheOneOfItsReaders() {
		try (FilterUnderTest owner = FilterUnderTest.with(this.rows).mode(FilterMode.SHADOW).loaded();
				FilterUnderTest reader = owner.reader()) {
			owner.report();
			reader.refresh();
			assertThat(reader.state()).isEqualTo(FilterState.SHADOW);
			assertThat(reader.check(-1L).answered()).isFalse();
		}
	}

	@Test
	void readerMayBeMoreCarefulThanTheOwner() {
		try (FilterUnderTest owner = FilterUnderTest.with(this.rows).readerMode(FilterMode.SHADOW).loaded();
				FilterUnderTest reader = owner.reader()) {
			assertThat(owner.check(-1L).answered()).isTrue();
			assertThat(reader.check(-1L).answered()).isFalse();
		}
	}

	@Test
	void readerSwitchesAndAcknowledgesNothing() {
		try (FilterUnderTest owner = FilterUnderTest.with(this.rows).loaded();
				FilterUnderTest reader = owner.reader()) {
			assertThatThrownBy(() -> reader.switchTo(FilterMode.OFF)).hasCauseInstanceOf(InvalidGuardException.class)
				.hasMessageContaining("is that of the application 'shop'");
			assertThatThrownBy(reader::acknowledge).hasCauseInstanceOf(InvalidGuardException.class);
			assertThatThrownBy(reader::rebuild).hasCauseInstanceOf(InvalidGuardException.class);
			assertThat(owner.state()).isEqualTo(FilterState.READY);
		}
	}

	@Test
	void readerThatMistrustsTheFilterLeavesItToItsOwner() {
		try (FilterUnderTest owner = FilterUnderTest.with(this.rows).loaded();
				FilterUnderTest reader = owner.reader()) {
			reader.mistrust("a test says so");
			reader.refresh();
			assertThat(reader.check(-1L).answered()).isFalse();
			owner.refresh();
			assertThat(owner.check(-1L).answered()).isTrue();
		}
	}

	@Test
	void keyThatTheReaderAddsIsInTheFilterOfTheOwner() {
		try (FilterUnderTest owner = FilterUnderTest.with(this.rows).loaded();
				FilterUnderTest reader = owner.reader()) {
			reader.written().add(List.of(5000L));
			assertThat(owner.has(5000L)).isTrue();
			owner.rebuild();
			assertThat(owner.has(5000L)).isTrue();
		}
	}

	@Test
	void nothingIsRememberedAndNoCacheMayRemember() {
		try (FilterUnderTest owner = FilterUnderTest.with(this.rows).loaded();
				FilterUnderTest reader = owner.reader()) {
			assertThat(owner.guard().textOfAbsence(-1L)).isNotNull();
			assertThat(reader.guard().textOfAbsence(-1L)).isNull();
			assertThat(reader.guard().confirmsAbsence(-1L).await()).isFalse();
		}
	}

	@Test
	void filterOfAnotherApplicationIsNotAsked() {
		try (FilterUnderTest owner = FilterUnderTest.with(this.rows).loaded();
				FilterUnderTest other = owner.ofApplication("other");
				FilterUnderTest reader = owner.reader()) {
			other.written().add(List.of(-1L));
			assertThat(reader.state()).isEqualTo(FilterState.READY);
			owner.switchTo(FilterMode.OFF);
			reader.refresh();
			assertThat(reader.state()).isEqualTo(FilterState.OFF);
		}
	}

	@Test
	void keyIsCalledAbsentOnlyIfItHasATypeThatTheColumnsOfTheOwnerTellApart() {
		try (FilterUnderTest owner = FilterUnderTest.with(new Typed(List.of(KeyType.of(long.class)))).loaded();
				FilterUnderTest reader = owner.reader()) {
			assertThat(reader.check(-1L).answered()).isTrue();
			assertThat(reader.check("-1").answered()).isTrue();
			assertThat(reader.check(1.5e300).answered()).isFalse();
			assertThat(reader.check(List.of(-1L, -2L)).answered()).isFalse();
			assertThat(reader.check(List.of(-1L)).answered()).isFalse();
			assertThat(reader.check(new Id(-1L)).answered()).isFalse();
		}
	}

	@Test
	void nothingIsCalledAbsentOfWhichTheOwnerCannotTellTheTypes() {
		try (FilterUnderTest owner = FilterUnderTest.with(new Typed(null)).loaded();
				FilterUnderTest reader = owner.reader()) {
			assertThat(owner.check(-1L).answered()).isTrue();
			assertThat(reader.check(-1L).answered()).isFalse();
		}
	}

	record Id(long value) {

	}

	private static final class Typed extends Rows implements TypedKeys {

		private final @Nullable List<KeyType> types;

		Typed(@Nullable List<KeyType> types) {
			this.types = types;
		}

		@Override
		public Optional<KeyEquality> equality() {
			return Optional.of(this);
		}

		@Override
		public Set<Difference> ignored() {
			return EXACT;
		}

		@Override
		public Optional<List<KeyType>> keyTypes() {
			return Optional.ofNullable(this.types);
		}

	}

}
