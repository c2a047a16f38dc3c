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

package io.github.bloomguard.backend.redis.module;

import java.util.List;

import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.Occupancy;

/**
 * The size of a Bloom filter that takes no more elements than it was reserved for: more
 * than are expected, with the probability asked for when there are as many as expected.
 * <p>
 * RedisBloom makes {@code b = -ln p / (ln 2)^2} bits for each element, and
 * {@code k = ceil(b ln 2)} hash functions.
 */
record BloomSize(long capacity, double bitsPerElement) implements FilterSize {

	private static final double LN2 = Math.log(2);

	/**
	 * RedisBloom takes no larger probability than 0.25.
	 */
	private static final double MIN_BITS_PER_ELEMENT = -Math.log(0.249) / (LN2 * LN2);

	/**
	 * In a smaller one, elements would share too many bits for the arithmetic to be true.
	 */
	private static final long MIN_CAPACITY = 1000;

	private static final int MAX_HASHES = 100;

	static BloomSize of(FilterSpecification specification) {
		double probability = specification.falsePositiveProbability();
		double best = Double.MAX_VALUE;
		for (int hashes = 1; hashes <= MAX_HASHES; hashes++) {
			double bits = -hashes / Math.log1p(-Math.pow(probability, 1.0 / hashes)) / HEAD_ROOM;
			double least = Math.max(MIN_BITS_PER_ELEMENT, (hashes - 1 + 1e-6) / LN2);
			bits = Math.max(bits, least);
			if (hashes(bits) == hashes) {
				best = Math.min(best, bits);
			}
		}
		double capacity = Math.ceil(specification.expectedInsertions() * HEAD_ROOM);
		return new BloomSize((long) Math.max(MIN_CAPACITY, capacity), best);
	}

	private static int hashes(double bitsPerElement) {
		return (int) Math.ceil(LN2 * bitsPerElement);
	}

	@Override
	public List<String> reservation(int more) {
		return List.of(String.valueOf(Math.exp(-this.bitsPerElement * LN2 * LN2)), String.valueOf(this.capacity + more),
				"NONSCALING");
	}

	@Override
	public long reserved() {
		return this.capacity;
	}

	@Override
	public double worstFalsePositiveProbability() {
		return falsePositiveProbability(this.capacity);
	}

	@Override
	public Occupancy occupancy(long elements, long sizeInBytes) {
		return new Occupancy(elements, falsePositiveProbability(elements), bitsSet(elements), sizeInBytes,
				elements >= CROWDED * this.capacity);
	}

	private double falsePositiveProbability(long elements) {
		return Math.pow(bitsSet(elements), hashes(this.bitsPerElement));
	}

	private double bitsSet(long elements) {
		return -Math.expm1(-hashes(this.bitsPerElement) * elements / (this.capacity * this.bitsPerElement));
	}

}
