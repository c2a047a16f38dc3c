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
 * The size of a cuckoo filter that does not grow. RedisBloom's fingerprints are numbers
 * from 1 to 255, and their number of buckets is a power of two. How often a key passes
 * that does not exist depends on how many keys there are for each bucket, and not on how
 * many places it has. So the number of buckets follows from the probability, and that of
 * their places from the number of keys.
 *
 * @param places how many fingerprints have a place in each bucket
 */
record CuckooSize(long buckets, int places) implements FilterSize {

	/**
	 * How often a fingerprint is moved to make room. With 20, the default, a filter of a
	 * million keys takes no more when it is three quarters full.
	 */
	private static final int ITERATIONS = 500;

	/**
	 * How much of it can be filled: with up to four million keys, a filter with three
	 * places in each bucket was full at 0.94, one with more later, and one with two at
	 * 0.23.
	 */
	private static final double USABLE = 0.9;

	private static final int MIN_PLACES = 3;

	private static final int MAX_PLACES = 255;

	private static final long MIN_BUCKETS = 512;

	private static final double LOG_DIFFERENT = Math.log1p(-1.0 / 255);

	static CuckooSize of(FilterSpecification specification) {
		double insertions = specification.expectedInsertions();
		double needed = insertions * HEAD_ROOM / USABLE;
		double perBucket = Math.log1p(-specification.falsePositiveProbability()) / (2 * LOG_DIFFERENT);
		long buckets = MIN_BUCKETS;
		while (buckets < insertions / perBucket || needed / buckets > MAX_PLACES) {
			buckets *= 2;
		}
		return new CuckooSize(buckets, Math.max(MIN_PLACES, (int) Math.ceil(needed / buckets)));
	}

	@Override
	public List<String> reservation(int more) {
		return List.of(String.valueOf(this.buckets * this.places), "BUCKETSIZE", String.valueOf(this.places),
				"MAXITERATIONS", String.valueOf(ITERATIONS), "EXPANSION", "0");
	}

	@Override
	public long capacity() {
		return (long) (this.buckets * this.places * USABLE);
	}

	@Override
	public long reserved() {
		return this.buckets * this.places;
	}

	@Override
	public double worstFalsePositiveProbability() {
		return falsePositiveProbability(reserved());
	}

	@Override
	public Occupancy occupancy(long elements, long sizeInBytes) {
		return new Occupancy(elements, falsePositiveProbability(elements), Math.min(1, (double) elements / reserved()),
				sizeInBytes, elements >= CROWDED * capacity());
	}

	private double falsePositiveProbability(long elements) {
		return -Math.expm1(2 * LOG_DIFFERENT * elements / this.buckets);
	}

}
