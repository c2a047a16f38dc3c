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

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.security.SecureRandom;
import java.util.Collection;
import java.util.concurrent.atomic.AtomicReference;

import io.github.bloomguard.Membership;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.Occupancy;

/**
 * The bits of one generation, with one secretly keyed hash of 64 bits for each element:
 * the first index is that of the hash, and the others follow at the distance of the hash
 * with its halves exchanged.
 * <p>
 * Concurrency: all threads set bits, each word atomically and as volatile, and read them
 * so: what an addition has set, each lookup sees that begins when it has returned. The
 * phase becomes sealed after the last addition of the builder, and stays gone once the
 * bits are deleted. A lookup reads the phase <em>before</em> the bits, because they may
 * not be complete before it is sealed, and <em>after</em> them, because additions pass it
 * over when it is gone.
 */
final class BloomBits {

	/**
	 * What it costs that the number of hash functions is a whole one: up to so many times
	 * the keys would fill a filter with a fraction of a function.
	 */
	static final double CROWDING = 1.01;

	private static final int COUNTED = 1 << 17;

	private static final VarHandle WORD = MethodHandles.arrayElementVarHandle(long[].class);

	private static final SecureRandom random = new SecureRandom();

	private final TextHash hash = new TextHash(random.nextLong(), random.nextLong());

	private final AtomicReference<Phase> phase = new AtomicReference<>(Phase.LOADING);

	private final FilterSpecification specification;

	private final long bits;

	private final int hashes;

	private final long[] words;

	BloomBits(FilterSpecification specification) {
		this.specification = specification;
		this.bits = specification.bits();
		this.hashes = specification.hashes();
		this.words = new long[Math.toIntExact((this.bits + Long.SIZE - 1) / Long.SIZE)];
	}

	Membership lookup(String prefix, String element) {
		return lookup(this.hash.of(prefix, element));
	}

	Membership lookup(String prefix, long number) {
		return lookup(this.hash.of(prefix, number));
	}

	private Membership lookup(long hash) {
		if (!isSealed()) {
			return Membership.UNKNOWN;
		}
		Membership answer = contains(hash) ? Membership.MAYBE : Membership.ABSENT;
		return isSealed() ? answer : Membership.UNKNOWN;
	}

	private boolean contains(long hash) {
		long next = hash;
		long distance = distance(next);
		for (int i = 0; i < this.hashes; i++) {
			long index = index(next);
			if (((long) WORD.getVolatile(this.words, word(index)) & mask(index)) == 0) {
				return false;
			}
			next += distance;
		}
		return true;
	}

	boolean add(Collection<String> elements) {
		elements.forEach(this::add);
		return this.phase.get() != Phase.GONE;
	}

	private void add(String element) {
		long next = this.hash.of("", element);
		long distance = distance(next);
		for (int i = 0; i < this.hashes; i++) {
			long index = index(next);
			if (((long) WORD.getVolatile(this.words, word(index)) & mask(index)) == 0) {
				WORD.getAndBitwiseOr(this.words, word(index), mask(index));
			}
			next += distance;
		}
	}

	boolean isSealed() {
		return this.phase.get() == Phase.SEALED;
	}

	boolean seal() {
		return this.phase.compareAndSet(Phase.LOADING, Phase.SEALED) || isSealed();
	}

	void delete() {
		this.phase.set(Phase.GONE);
	}

	Occupancy occupancy() {
		int counted = Math.min(this.words.length, COUNTED);
		long set = 0;
		for (int i = 0; i < counted; i++) {
			set += Long.bitCount((long) WORD.getVolatile(this.words, i));
		}
		return Occupancy.ofBits(this.specification, Math.round((double) set * this.words.length / counted), CROWDING);
	}

	private static long distance(long hash) {
		return Long.rotateLeft(hash, Integer.SIZE);
	}

	/**
	 * Scale a hash to the size: the upper half of a product, without its sign.
	 */
	private long index(long hash) {
		return Math.multiplyHigh(hash >>> 1, this.bits << 1);
	}

	private static int word(long index) {
		return (int) (index >>> 6);
	}

	private static long mask(long index) {
		return 1L << index;
	}

	private enum Phase {

		LOADING,

		SEALED,

		GONE

	}

}
