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

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.stream.IntStream;

import io.github.bloomguard.backend.redis.Shards.Place;
import io.github.bloomguard.filter.FilterSpecification;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@link Shards}.
 */
class ShardsTests {

	private static final long LARGEST = FilterSpecification.DEFAULT_SHARD_SIZE;

	private static final RedisKeys KEYS = new RedisKeys("test", "products");

	@Test
	void filterThatFitsIntoOneStringIsLaidOutAsRedissonDoes() {
		FilterSpecification specification = specification(14_000_000, 0.01);
		Shards shards = Shards.of(specification);
		assertThat(shards.count()).isOne();
		assertThat(shards.names(KEYS, "g")).containsExactly("test:{products}:bits:g");
		assertThat(shards.layout().isStamped()).isFalse();
		assertThat(shards.layout().lengthInBytes()).isEqualTo(BloomLayout.of(specification).lengthInBytes())
			.isLessThanOrEqualTo(LARGEST);
		assertThat(IntStream.range(0, 1000).map((i) -> shards.place("" + i).shard())).containsOnly(0);
	}

	@ParameterizedTest
	@CsvSource({ "15000000, 0.01, 2", "100000000, 0.01, 8", "1000000000, 0.01, 72", "1000000000, 0.001, 108",
			"14000000000, 0.01, 1000" })
	void noStringIsLargerThanItMayBeAndTogetherTheyHaveTheSizeOfTheFilter(long insertions, double probability,
			int count) {
		FilterSpecification specification = specification(insertions, probability);
		Shards shards = Shards.of(specification);
		BloomLayout layout = shards.layout();
		assertThat(shards.count()).isEqualTo(count);
		assertThat(layout.lengthInBytes()).isBetween(LARGEST / 2, LARGEST);
		assertThat(layout.bits() * count).isBetween(specification.bits(), specification.bits() + 40L * count);
		assertThat(layout.hashFunctions()).isEqualTo(specification.hashes());
		assertThat(layout.stampOffset()).isBetween(layout.bits(), layout.bits() + 63);
		assertThat(layout.sealOffset()).isEqualTo(layout.stampOffset() + 320);
		assertThat(layout.lengthInBytes()).isEqualTo(layout.sealOffset() / 8 + 8);
	}

	@Test
	void eachStringHasAHashTagOfItsOwn() {
		assertThat(Shards.of(specification(3_000, 0.01, 1500)).names(KEYS, "g"))
			.containsExactly("test:{products:0}:bits:g", "test:{products:1}:bits:g", "test:{products:2}:bits:g");
	}

	@Test
	void elementsAreSpreadEvenly() {
		Shards shards = Shards.of(specification(100_000, 0.01, 18_000));
		int[] elements = new int[shards.count()];
		for (int i = 0; i < 100_000; i++) {
			elements[shards.place("element " + i).shard()]++;
		}
		assertThat(IntStream.of(elements).boxed()).hasSize(7)
			.allSatisfy((count) -> assertThat(count).isCloseTo(100_000 / 7, within(500)));
	}

	/**
	 * If the bits depended on the string, some would be set more often than others. Of
	 * absent elements 1.1 to 1.2 % pass a filter for 1 %, because Redisson computes all
	 * indexes from two numbers, also in one string.
	 */
	@Test
	void bitsOfAnElementDoNotDependOnItsString() {
		Shards shards = Shards.of(specification(200_000, 0.01, 60_000));
		assertThat(shards.count()).isGreaterThan(3);
		List<BitSet> bits = new ArrayList<>();
		for (int i = 0; i < shards.count(); i++) {
			bits.add(new BitSet());
		}
		for (int i = 0; i < 200_000; i++) {
			Place place = shards.place("element " + i);
			for (long index : place.indexes()) {
				bits.get(place.shard()).set((int) index);
			}
		}
		double expected = -Math.expm1(-7.0 * 200_000 / shards.count() / shards.layout().bits());
		assertThat(bits).allSatisfy((set) -> assertThat((double) set.cardinality() / shards.layout().bits())
			.isCloseTo(expected, within(0.005)));
		int passed = 0;
		for (int i = 200_000; i < 400_000; i++) {
			Place place = shards.place("element " + i);
			boolean all = true;
			for (long index : place.indexes()) {
				all &= bits.get(place.shard()).get((int) index);
			}
			passed += all ? 1 : 0;
		}
		assertThat(passed / 200_000.0).isBetween(0.009, 0.0125);
	}

	private static FilterSpecification specification(long insertions, double probability) {
		return specification(insertions, probability, LARGEST);
	}

	private static FilterSpecification specification(long insertions, double probability, long largest) {
		return new FilterSpecification("products", insertions, probability, largest);
	}

}
