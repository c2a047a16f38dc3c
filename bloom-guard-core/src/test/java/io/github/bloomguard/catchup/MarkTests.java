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

package io.github.bloomguard.catchup;

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

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/**
 * Tests for {@link Mark}.
 */
class MarkTests {

	static Stream<Object> values() {
		return Stream.of(0L, -7L, Long.MAX_VALUE, new BigDecimal("12345678901234567890.5"), LocalDate.of(2026, 2, 28),
				LocalDateTime.parse("2026-02-28T12:34:56.123456"), LocalDateTime.MAX,
				OffsetDateTime.parse("2026-02-28T12:34:56.123456Z"), UUID.randomUUID(), "", "a|b:c é");
	}

	@ParameterizedTest
	@MethodSource("values")
	void typeAndValueSurviveTheRoundTrip(Object value) {
		assertThat(Mark.parse(new Mark(value).format()).value()).isEqualTo(value);
	}

	@Test
	void textThatLooksLikeANumberStaysText() {
		assertThat(Mark.parse(new Mark("007").format()).value()).isEqualTo("007");
	}

	@Test
	void equalValuesAreEqualMarks() {
		assertThat(new Mark(7)).isEqualTo(new Mark(7L)).isEqualTo(new Mark((short) 7));
		assertThat(new Mark(new BigDecimal("7.50"))).isEqualTo(new Mark(7.5))
			.isEqualTo(new Mark(new BigDecimal("7.5")));
		assertThat(new Mark(BigInteger.TEN)).isEqualTo(new Mark(new BigDecimal(10)));
		assertThat(new Mark(OffsetDateTime.parse("2026-02-28T12:00:00+02:00")))
			.isEqualTo(new Mark(OffsetDateTime.parse("2026-02-28T10:00:00Z")));
	}

	@Test
	void orderOfNumbersAndTimesIsKnown() {
		assertThat(new Mark(9).isBefore(new Mark(10))).isTrue();
		assertThat(new Mark(10).isBefore(new Mark(9))).isFalse();
		assertThat(new Mark(10).isBefore(new Mark(10))).isFalse();
		assertThat(new Mark(LocalDateTime.MIN).isBefore(new Mark(LocalDateTime.MAX))).isTrue();
		assertThat(new Mark(LocalDate.MIN).isBefore(new Mark(LocalDate.MAX))).isTrue();
		assertThat(new Mark(OffsetDateTime.parse("2026-02-28T12:00:00+02:00"))
			.isBefore(new Mark(OffsetDateTime.parse("2026-02-28T11:00:00Z")))).isTrue();
	}

	@Test
	void orderOfTextsIsLeftToTheDatabase() {
		assertThat(new Mark("a").isBefore(new Mark("B"))).isFalse();
		assertThat(new Mark("B").isBefore(new Mark("a"))).isFalse();
		assertThat(new Mark(1).isBefore(new Mark("2"))).isFalse();
	}

	@Test
	void otherTypesAreRefused() {
		assertThatIllegalArgumentException().isThrownBy(() -> new Mark(new byte[0])).withMessageContaining("[B");
	}

}
