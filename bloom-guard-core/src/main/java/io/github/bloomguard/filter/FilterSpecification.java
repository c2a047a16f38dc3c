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

import io.github.bloomguard.InvalidGuardException;

/**
 * How large a filter is. The formulas are Bloom's (Communications of the ACM 13/7, 1970),
 * as Redisson uses them: {@code m = -n ln p / (ln 2)^2} bits and {@code k = m/n ln 2}
 * hash functions.
 *
 * @param filter the name, as configured under {@code bloom-guard.filters}
 * @param expectedInsertions how many keys are expected, at least 1
 * @param falsePositiveProbability the probability, above 0 and below 1, that a key which
 * does not exist passes once that many keys have been added
 * @param shardSize how many bytes may be kept as one value, by a backend that divides
 * larger filters
 */
public record FilterSpecification(String filter, long expectedInsertions, double falsePositiveProbability,
		long shardSize) {

	public static final long DEFAULT_SHARD_SIZE = 16 << 20;

	/**
	 * The largest value that Redis takes.
	 */
	private static final long MAX_SHARD_SIZE = 512 << 20;

	private static final long MIN_SHARD_SIZE = 256;

	/**
	 * The most bits: those in the words of the largest array that there is.
	 */
	public static final long MAX_BITS = (1L << 37) - 1024;

	private static final double LN2_SQUARED = Math.log(2) * Math.log(2);

	/**
	 * @throws InvalidGuardException if there can't be a filter like this
	 */
	public FilterSpecification {
		if (!filter.matches("[A-Za-z0-9._-]+")) {
			throw new InvalidGuardException("The filter name '" + filter + "' can't be part of a Redis key",
					"Use letters, digits, dots, dashes and underscores only below bloom-guard.filters");
		}
		FilterChecks checks = new FilterChecks(filter);
		checks.that(expectedInsertions >= 1, "expected-insertions", expectedInsertions,
				"Set it to the number of keys that the filter will hold, at least 1");
		checks.that(falsePositiveProbability > 0 && falsePositiveProbability < 1, "false-positive-probability",
				falsePositiveProbability,
				"Set it to a number above 0 and below 1, such as 0.001 for one false positive in a thousand");
		checks.that(shardSize >= MIN_SHARD_SIZE && shardSize <= MAX_SHARD_SIZE, "shard-size", shardSize + "B",
				"Set it to a size from 256B to 512MB, such as 16MB");
		double bits = bits(expectedInsertions, falsePositiveProbability);
		checks.that(bits <= MAX_BITS, "expected-insertions",
				"%d, which needs %.0f bits at a probability of %s; one filter holds at most %d"
					.formatted(expectedInsertions, bits, falsePositiveProbability, MAX_BITS),
				"Set it to at most " + maxInsertions(falsePositiveProbability) + ", or raise "
						+ checks.property("false-positive-probability"));
		checks.that(bits >= 1, "false-positive-probability",
				falsePositiveProbability + ", which leaves no bits for " + expectedInsertions + " keys",
				"Set it to a smaller number, such as 0.001");
	}

	public FilterSpecification(String filter, long expectedInsertions, double falsePositiveProbability) {
		this(filter, expectedInsertions, falsePositiveProbability, DEFAULT_SHARD_SIZE);
	}

	public FilterSpecification withExpectedInsertions(long insertions) {
		return new FilterSpecification(this.filter, insertions, this.falsePositiveProbability, this.shardSize);
	}

	/**
	 * Return the specification of a filter that lets at most the probability of this one
	 * pass, with as many keys, although its hash functions are not independent.
	 * @param crowding as how many independent keys each key counts
	 */
	public FilterSpecification crowded(double crowding) {
		return withExpectedInsertions(Math.min((long) Math.ceil(this.expectedInsertions * crowding), maxInsertions()));
	}

	public long bits() {
		return (long) bits(this.expectedInsertions, this.falsePositiveProbability);
	}

	public int hashes() {
		return Math.max(1, (int) Math.round((double) bits() / this.expectedInsertions * Math.log(2)));
	}

	/**
	 * Estimate how many different keys a filter holds: {@code -m/k ln(1 - X/m)}
	 * (Swamidass and Baldi, Journal of Chemical Information and Modeling 47/3, 2007).
	 */
	public long estimatedInsertions(long bitsSet) {
		double fill = Math.min(fillRatio(bitsSet), 1 - 1.0 / bits());
		return Math.round(-(double) bits() / hashes() * Math.log1p(-fill));
	}

	/**
	 * Estimate the probability that a key which does not exist passes: {@code (X/m)^k} of
	 * the bits that so many times the keys would have set.
	 */
	public double estimatedFalsePositiveProbability(long bitsSet, double crowding) {
		return Math.pow(1 - Math.pow(1 - fillRatio(bitsSet), crowding), hashes());
	}

	public double fillRatio(long bitsSet) {
		return Math.min(1, (double) bitsSet / bits());
	}

	public long maxInsertions() {
		return maxInsertions(this.falsePositiveProbability);
	}

	private static long maxInsertions(double falsePositiveProbability) {
		return (long) (MAX_BITS * LN2_SQUARED / -Math.log(falsePositiveProbability));
	}

	private static double bits(long expectedInsertions, double falsePositiveProbability) {
		return -expectedInsertions * Math.log(falsePositiveProbability) / LN2_SQUARED;
	}

}
