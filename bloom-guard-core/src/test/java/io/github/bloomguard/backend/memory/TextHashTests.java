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

package io.github.bloomguard.backend.memory;

import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * Tests for {@link TextHash}.
 */
class TextHashTests {

	private final TextHash hash = new TextHash(0x0706050403020100L, 0x0f0e0d0c0b0a0908L);

	/**
	 * What another implementation, which gives the authors' vectors, makes of UTF-16LE.
	 */
	static Arguments[] vectors() {
		return new Arguments[] { arguments("", 0xabac0158050fc4dcL), arguments("a", 0x2c9ff5d5524e4e9fL),
				arguments("key", 0xf7b6053d57f49f9bL), arguments("4711", 0xa42d4d2f817f2c8cL),
				arguments("products:4711", 0xe8062e3ac7dadf53L), arguments("ä€😀", 0xc1c990fe14541ff5L),
				arguments("x".repeat(200), 0x8e1bb6d629be0006L) };
	}

	@ParameterizedTest
	@MethodSource("vectors")
	void hashIsSipHash(String text, long expected) {
		assertThat(this.hash.of("", text)).isEqualTo(expected);
	}

	@Test
	void eachKeyAndEachTextHaveAnotherHash() {
		assertThat(new TextHash(1, 2).of("", "a")).isNotEqualTo(this.hash.of("", "a"));
		Set<Long> hashes = IntStream.range(0, 100_000)
			.mapToObj(String::valueOf)
			.map((text) -> this.hash.of("", text))
			.collect(Collectors.toSet());
		assertThat(hashes).hasSize(100_000);
		assertThat(this.hash.of("", "\0")).isNotEqualTo(this.hash.of("", "\0\0")).isNotEqualTo(this.hash.of("", ""));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a", "salt", "0123456789abcdef" })
	void textInTwoPartsHasTheHashOfTheWhole(String prefix) {
		assertThat(this.hash.of(prefix, "products:4711")).isEqualTo(this.hash.of("", prefix + "products:4711"));
	}

	@ParameterizedTest
	@ValueSource(strings = { "", "a", "0123456789abcdef" })
	void numberHasTheHashOfItsDigits(String prefix) {
		LongStream powers = LongStream.iterate(1, (power) -> power < Long.MAX_VALUE / 10, (power) -> 10 * power)
			.flatMap((power) -> LongStream.of(power - 1, power, power + 1, 7 * power, 1 - power, -power, -1 - power));
		LongStream.concat(powers, LongStream.of(Long.MAX_VALUE, Long.MIN_VALUE, Long.MIN_VALUE + 1))
			.forEach((number) -> assertThat(this.hash.of(prefix, number)).as("%d", number)
				.isEqualTo(this.hash.of(prefix, Long.toString(number))));
	}

}
