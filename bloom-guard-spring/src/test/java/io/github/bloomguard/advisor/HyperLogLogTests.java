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

package io.github.bloomguard.advisor;

import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

/**
 * Tests for {@link HyperLogLog}.
 */
class HyperLogLogTests {

	private final HyperLogLog keys = new HyperLogLog();

	@Test
	void nothingIsNoElement() {
		assertThat(this.keys.estimate()).isZero();
	}

	@ParameterizedTest
	@ValueSource(ints = { 1, 10, 100, 1000, 5000, 7000, 20_000, 1_000_000 })
	void estimateIsNearTheNumberOfDifferentElements(int different) {
		IntStream.range(0, different).forEach((i) -> this.keys.add(Integer.hashCode(i)));
		assertThat(this.keys.estimate()).isCloseTo(different, withinPercentage(7));
	}

	@Test
	void elementThatComesAgainIsNotCounted() {
		IntStream.range(0, 100_000).forEach((i) -> this.keys.add("SKU-%04d".formatted(i % 1000).hashCode()));
		assertThat(this.keys.estimate()).isCloseTo(1000, withinPercentage(7));
	}

}
