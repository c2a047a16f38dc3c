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

/**
 * Estimates how many different elements there were, with a standard error of 2.3 %, in
 * two kilobytes (Flajolet, Fusy, Gandouet, Meunier, <i>HyperLogLog: the analysis of a
 * near-optimal cardinality estimation algorithm</i>, 2007). Few are counted by their
 * empty registers (linear counting). Many need no correction, because hashes have 64
 * bits, of which an element gives 32: up to some hundred million are told apart.
 * <p>
 * Concurrency: all threads read and write the registers, which only grow. One of two
 * writes at the same moment may be lost, and with it an element in some thousands.
 */
final class HyperLogLog {

	private static final int INDEX_BITS = 11;

	private static final int REGISTERS = 1 << INDEX_BITS;

	private static final double ALPHA = 0.7213 / (1 + 1.079 / REGISTERS);

	private final byte[] registers = new byte[REGISTERS];

	void add(int hashCode) {
		long hash = mix(hashCode);
		int register = (int) (hash >>> (Long.SIZE - INDEX_BITS));
		int rank = Long.numberOfLeadingZeros((hash << INDEX_BITS) | (1L << (INDEX_BITS - 1))) + 1;
		if (this.registers[register] < rank) {
			this.registers[register] = (byte) rank;
		}
	}

	long estimate() {
		double sum = 0;
		int empty = 0;
		for (byte rank : this.registers) {
			sum += 1.0 / (1L << rank);
			empty += (rank == 0) ? 1 : 0;
		}
		double estimate = ALPHA * REGISTERS * REGISTERS / sum;
		boolean few = estimate <= 2.5 * REGISTERS && empty > 0;
		return Math.round(few ? REGISTERS * Math.log((double) REGISTERS / empty) : estimate);
	}

	/**
	 * Mix as {@link java.util.SplittableRandom} does (Steele, Lea, Flood, 2014).
	 */
	private static long mix(int hashCode) {
		long z = (hashCode + 1L) * 0x9E3779B97F4A7C15L;
		z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
		z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
		return z ^ (z >>> 31);
	}

}
