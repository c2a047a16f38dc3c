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

import java.time.ZonedDateTime;

import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.Occupancy;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.instance.FillLevel.Measurement;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RebuildPolicy}.
 */
class RebuildPolicyTests {

	private static final FilterSpecification SPECIFICATION = new FilterSpecification("products", 1000, 0.01);

	private final Generation generation = Generation.loading(SPECIFICATION, 1000, "origin");

	/**
	 * Because the number of hash functions is rounded, a filter that is just full may be
	 * a little worse than it was configured to be. The next one would be of the same
	 * size.
	 */
	@ParameterizedTest
	@ValueSource(doubles = { 1, 1.001 })
	void filterThatHoldsWhatWasExpectedIsNotOverfull(double factor) {
		Measurement full = holding(1000);
		assertThat(full.occupancy().insertions()).isEqualTo(1000);
		assertThat(full.occupancy().falsePositiveProbability()).isGreaterThan(factor * 0.01);
		assertThat(isDue(factor, full)).isFalse();
	}

	@Test
	void filterThatHoldsMoreThanWasExpectedIsOverfull() {
		assertThat(isDue(1, holding(1010))).isTrue();
		assertThat(isDue(2, holding(1010))).isFalse();
		assertThat(isDue(2, holding(2000))).isTrue();
		assertThat(isDue(0, holding(100_000))).isFalse();
	}

	private boolean isDue(double factor, Measurement fill) {
		return new RebuildPolicy(new FilterSettingsBuilder().maxFalsePositiveFactor(factor).build().building())
			.isDue(this.generation, fill, 0, ZonedDateTime.now());
	}

	private Measurement holding(long keys) {
		double fill = 1 - Math.exp(-(double) SPECIFICATION.hashes() * keys / SPECIFICATION.bits());
		return new Measurement(this.generation,
				Occupancy.ofBits(SPECIFICATION, Math.round(fill * SPECIFICATION.bits()), 1), 0, JournalPosition.START);
	}

}
