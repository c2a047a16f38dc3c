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

package io.github.bloomguard.filter;

import java.util.UUID;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.testsupport.RedissonClients;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.api.RBloomFilter;
import org.redisson.api.RedissonClient;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@link FilterSpecification}.
 */
class FilterSpecificationTests {

	private static final String PROPERTY = "bloom-guard.filters.products.";

	private static final long LARGEST_AT_ONE_PERCENT = 14_338_874_844L;

	@Test
	void formulasAreThoseOfRedisson() {
		try (TestRedis redis = TestRedis.start()) {
			RedissonClient redisson = RedissonClients.of(redis);
			for (long n : new long[] { 1, 2, 3, 7, 10, 99, 1000, 12_345, 1_000_000, 99_000_000 }) {
				for (double p : new double[] { 0.5, 0.3, 0.1, 0.03, 0.01, 0.001, 1e-6, 1e-9 }) {
					RBloomFilter<String> filter = redisson.getBloomFilter(UUID.randomUUID().toString());
					FilterSpecification specification = specification(n, p);
					assertThat(filter.tryInit(n, p)).isTrue();
					assertThat(specification.bits()).as("bits for %s keys at %s", n, p).isEqualTo(filter.getSize());
					assertThat(specification.hashes()).as("hashes for %s keys at %s", n, p)
						.isEqualTo(filter.getHashIterations());
				}
			}
			redisson.shutdown();
		}
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, -1, Long.MIN_VALUE })
	void needsAtLeastOneInsertion(long insertions) {
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> specification(insertions, 0.01))
			.satisfies((ex) -> {
				assertThat(ex.getProblem()).isEqualTo(PROPERTY + "expected-insertions is " + insertions);
				assertThat(ex.getRemedy()).contains("number of keys").contains("at least 1");
			});
	}

	@ParameterizedTest
	@ValueSource(doubles = { 0, -0.1, 1, 1.5, Double.NaN, Double.POSITIVE_INFINITY })
	void needsAProbabilityBetweenZeroAndOne(double probability) {
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> specification(1000, probability))
			.satisfies((ex) -> {
				assertThat(ex.getProblem()).isEqualTo(PROPERTY + "false-positive-probability is " + probability);
				assertThat(ex.getRemedy()).contains("above 0 and below 1").contains("0.001");
			});
	}

	@Test
	void tooManyInsertionsAreToldWhatWouldFit() {
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> specification(1_000_000_000_000L, 0.01))
			.satisfies((ex) -> {
				assertThat(ex.getProblem()).contains(PROPERTY + "expected-insertions is 1000000000000")
					.contains("9585058377367 bits")
					.contains("at most " + FilterSpecification.MAX_BITS);
				assertThat(ex.getRemedy()).contains("at most " + LARGEST_AT_ONE_PERCENT)
					.contains(PROPERTY + "false-positive-probability");
			});
	}

	@Test
	void whatIsSaidToFitFits() {
		assertThat(specification(LARGEST_AT_ONE_PERCENT, 0.01).bits()).isBetween(FilterSpecification.MAX_BITS - 20,
				FilterSpecification.MAX_BITS);
		assertThatExceptionOfType(InvalidGuardException.class)
			.isThrownBy(() -> specification(LARGEST_AT_ONE_PERCENT + 1, 0.01));
	}

	@Test
	void probabilityThatLeavesNoBitsIsRefused() {
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> specification(1, 0.9))
			.withMessageContaining(PROPERTY + "false-positive-probability is 0.9")
			.withMessageContaining("smaller");
	}

	@ParameterizedTest
	@ValueSource(strings = { "", " ", "a b", "a{b", "a}b", "a:b", "ä" })
	void nameMustFitIntoARedisKey(String name) {
		assertThatExceptionOfType(InvalidGuardException.class)
			.isThrownBy(() -> new FilterSpecification(name, 1000, 0.01))
			.satisfies((ex) -> {
				assertThat(ex.getProblem()).contains("'" + name + "'");
				assertThat(ex.getRemedy()).contains("letters, digits, dots, dashes and underscores")
					.contains("bloom-guard.filters");
			});
	}

	@ParameterizedTest
	@CsvSource({ "1000, 0.01", "1000000, 0.001", "5000, 0.3" })
	void estimatesOfAFullFilterAreWhatWasConfigured(long n, double p) {
		FilterSpecification specification = specification(n, p);
		long bitsSet = Math
			.round(specification.bits() * -Math.expm1(-(double) specification.hashes() * n / specification.bits()));
		assertThat(specification.estimatedInsertions(bitsSet)).isCloseTo(n, within(n / 1000));
		assertThat(specification.estimatedFalsePositiveProbability(bitsSet, 1)).isCloseTo(p, within(p * 0.05));
	}

	@Test
	void estimatesStayFiniteAtTheEnds() {
		FilterSpecification specification = specification(1000, 0.01);
		assertThat(specification.estimatedInsertions(0)).isZero();
		assertThat(specification.fillRatio(0)).isZero();
		assertThat(specification.estimatedFalsePositiveProbability(0, 1)).isZero();
		for (long bits : new long[] { specification.bits(), specification.bits() + 64 }) {
			assertThat(specification.estimatedInsertions(bits)).isBetween(1000L, 1_000_000L);
			assertThat(specification.fillRatio(bits)).isOne();
			assertThat(specification.estimatedFalsePositiveProbability(bits, 1)).isOne();
		}
	}

	@Test
	void crowdedFilterHasBitsForMoreKeysAndAsManyHashFunctions() {
		FilterSpecification configured = specification(1_000_000, 0.001);
		FilterSpecification crowded = configured.crowded(1.07);
		assertThat(crowded.bits()).isCloseTo(Math.round(configured.bits() * 1.07), within(100L));
		assertThat(crowded.hashes()).isEqualTo(configured.hashes());
	}

	@Test
	void largestFilterIsNotMadeLargerBecauseItIsCrowded() {
		FilterSpecification largest = specification(specification(1, 0.001).maxInsertions(), 0.001);
		assertThat(largest.crowded(1.07)).isEqualTo(largest);
	}

	@Test
	void crowdedFilterIsEstimatedToPassTheConfiguredProbabilityWithTheConfiguredKeys() {
		FilterSpecification configured = specification(1_000_000, 0.001);
		FilterSpecification crowded = configured.crowded(1.07);
		long bitsSet = Math.round(crowded.bits() * -Math.expm1(-10.0 * 1_000_000 / crowded.bits()));
		assertThat(crowded.estimatedInsertions(bitsSet)).isCloseTo(1_000_000, within(10L));
		assertThat(crowded.estimatedFalsePositiveProbability(bitsSet, 1.07)).isCloseTo(0.001, within(0.00001));
	}

	private static FilterSpecification specification(long insertions, double probability) {
		return new FilterSpecification("products", insertions, probability);
	}

}
