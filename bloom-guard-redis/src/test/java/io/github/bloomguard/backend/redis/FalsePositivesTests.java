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

package io.github.bloomguard.backend.redis;

import java.util.BitSet;
import java.util.SplittableRandom;

import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.Occupancy;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Counts how many keys that do not exist pass a filter that is full, with random numbers
 * in place of the hash. A filter that is made for no more than its keys lets 1.13, 1.44
 * and 1.85 times the configured share pass.
 */
class FalsePositivesTests {

	@ParameterizedTest
	@CsvSource({ "300000, 0.01, 1000000", "300000, 0.001, 3000000", "300000, 0.0001, 10000000", "1000, 0.01, 1000000",
			"1000, 0.001, 3000000", "1000, 0.0001, 10000000", "300000, 0.3, 100000", "300000, 0.2, 300000",
			"300000, 0.1, 300000", "300000, 0.03, 1000000", "300000, 0.0002, 10000000" })
	void fullFilterLetsAtMostTheConfiguredShareOfAbsentKeysPass(int keys, double probability, int asked) {
		FilterSpecification specification = specification(keys, probability);
		BloomLayout layout = BloomLayout.of(specification);
		BitSet bits = new BitSet(Math.toIntExact(layout.bits()));
		long[] indexes = new long[layout.hashFunctions()];
		SplittableRandom random = new SplittableRandom(7);
		for (int key = 0; key < keys; key++) {
			layout.indexes(random.nextLong(), random.nextLong(), indexes, 0);
			for (long index : indexes) {
				bits.set((int) index);
			}
		}
		int passed = 0;
		for (int i = 0; i < asked; i++) {
			layout.indexes(random.nextLong(), random.nextLong(), indexes, 0);
			if (containsAll(bits, indexes)) {
				passed++;
			}
		}
		assertThat((double) passed / asked).isBetween(0.85 * probability, probability);
		assertThat(Occupancy.ofBits(specification, bits.cardinality(), BloomLayout.crowding(layout.hashFunctions()))
			.falsePositiveProbability()).isCloseTo((double) passed / asked, within(0.12 * probability));
	}

	private static FilterSpecification specification(int keys, double probability) {
		FilterSpecification configured = new FilterSpecification("products", keys, probability);
		return configured.crowded(BloomLayout.crowding(configured.hashes()));
	}

	private static boolean containsAll(BitSet bits, long[] indexes) {
		for (long index : indexes) {
			if (!bits.get((int) index)) {
				return false;
			}
		}
		return true;
	}

}
