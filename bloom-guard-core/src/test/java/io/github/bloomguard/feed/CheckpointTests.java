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

package io.github.bloomguard.feed;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.UUID;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Checkpoint}.
 */
class CheckpointTests {

	static Stream<Object> values() {
		return Stream.of(0L, -7L, Long.MAX_VALUE, new BigDecimal("12345678901234567890.5"), LocalDate.of(2026, 2, 28),
				LocalDateTime.parse("2026-02-28T12:34:56.123456"), LocalDateTime.MAX,
				OffsetDateTime.parse("2026-02-28T12:34:56.123456Z"), UUID.randomUUID(), "", "a|b:c é");
	}

	@ParameterizedTest
	@MethodSource("values")
	void typeAndValueSurviveTheRoundTrip(Object value) {
		assertThat(Checkpoint.parse(new Checkpoint(value).format()).orElseThrow().value()).isEqualTo(value);
	}

	@Test
	void textThatLooksLikeANumberStaysText() {
		assertThat(Checkpoint.parse(new Checkpoint("007").format()).orElseThrow().value()).isEqualTo("007");
	}

	@Test
	void equalValuesAreEqualMarks() {
		assertThat(new Checkpoint(7)).isEqualTo(new Checkpoint(7L)).isEqualTo(new Checkpoint((short) 7));
		assertThat(new Checkpoint(new BigDecimal("7.50"))).isEqualTo(new Checkpoint(7.5))
			.isEqualTo(new Checkpoint(new BigDecimal("7.5")));
		assertThat(new Checkpoint(BigInteger.TEN)).isEqualTo(new Checkpoint(new BigDecimal(10)));
		assertThat(new Checkpoint(OffsetDateTime.parse("2026-02-28T12:00:00+02:00")))
			.isEqualTo(new Checkpoint(OffsetDateTime.parse("2026-02-28T10:00:00Z")));
	}

	@Test
	void orderOfNumbersAndTimesIsKnown() {
		assertThat(new Checkpoint(10).reaches(new Checkpoint(9))).isTrue();
		assertThat(new Checkpoint(9).reaches(new Checkpoint(10))).isFalse();
		assertThat(new Checkpoint(10).reaches(new Checkpoint(10))).isTrue();
		assertThat(new Checkpoint(LocalDateTime.MAX).reaches(new Checkpoint(LocalDateTime.MIN))).isTrue();
		assertThat(new Checkpoint(LocalDate.MAX).reaches(new Checkpoint(LocalDate.MIN))).isTrue();
		assertThat(new Checkpoint(OffsetDateTime.parse("2026-02-28T11:00:00Z"))
			.reaches(new Checkpoint(OffsetDateTime.parse("2026-02-28T12:00:00+02:00")))).isTrue();
	}

	@Test
	void orderOfTextsIsLeftToTheDatabase() {
		assertThat(new Checkpoint("a").reaches(new Checkpoint("B"))).isFalse();
		assertThat(new Checkpoint("B").reaches(new Checkpoint("a"))).isFalse();
		assertThat(new Checkpoint("a").reaches(new Checkpoint("a"))).isTrue();
		assertThat(new Checkpoint(2).reaches(new Checkpoint("1"))).isFalse();
	}

	@Test
	void otherTypesAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new Checkpoint(new byte[0])).withMessageContaining("[B");
	}

	@ParameterizedTest
	@ValueSource(strings = { "interval|7", "BIGINT|7", "bigint|seven", "7", "", "date|yesterday" })
	void textOfAnotherVersionIsNoCheckpoint(String text) {
		assertThat(Checkpoint.parse(text)).isEmpty();
	}

}
