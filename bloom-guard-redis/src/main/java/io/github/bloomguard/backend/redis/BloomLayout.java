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

import java.util.stream.IntStream;

import io.github.bloomguard.filter.FilterSpecification;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;

/**
 * Where the bits of a {@code RBloomFilter} with the string codec are. This is the one
 * place that knows it:
 * <ul>
 * <li>the number of hash functions is that of the specification, and so is the size but
 * for a few bits more: it has no factor in common with a number up to that of the hash
 * functions. Every other index of an element is a multiple of one number, and with such a
 * factor a key that does not exist passes up to twice as often</li>
 * <li>an element is its UTF-8 text; Redisson's own 128-bit hash of it gives two numbers
 * {@code h0} and {@code h1}. The indexes begin with {@code h0} and go on by {@code h1}
 * and {@code h0} in turns; each is taken without its sign, modulo the size</li>
 * <li>bit 0 is the <em>high</em> bit of byte 0, as in all bit commands of Redis: bit
 * {@code i} is {@code 0x80 >> (i & 7)} in byte {@code i >> 3}</li>
 * </ul>
 * Past the size, from the next multiple of 64 on, there is a word of 64 bits that no
 * element can set; its high byte comes first. Where a filter is divided among several
 * strings, each of them has a stamp before its word.
 */
class BloomLayout {

	static final int WORD = Long.SIZE;

	static final int STAMP = 40 * Byte.SIZE;

	/**
	 * For how many keys more a filter has to be made so that only the configured share of
	 * keys that do not exist passes, in percent, by the number of hash functions. Every
	 * other index of an element is a multiple of {@code h0 + h1}, so an element shares
	 * several of them with each of those that have a simple fraction of that number. The
	 * percentages are what follows if each such fraction is counted once (by inclusion
	 * and exclusion over the multiples that are set), for the most demanding probability
	 * that has this number of hash functions, rounded up.
	 */
	private static final int[] ROOM = { 0, 6, 3, 2, 5, 3, 5, 4, 8, 6, 7, 6, 11, 9, 11, 9, 13, 12, 15, 14, 18, 16, 20,
			18, 24, 22, 26, 24, 30, 28, 33, 31, 36 };

	private final long bits;

	private final int hashFunctions;

	private final int stamp;

	private final long reciprocal;

	BloomLayout(long bits, int hashFunctions) {
		this(bits, hashFunctions, 0);
	}

	private BloomLayout(long bits, int hashFunctions, int stamp) {
		this.bits = bits;
		this.reciprocal = (bits > 1) ? Long.divideUnsigned(-1, bits) : 0;
		this.hashFunctions = hashFunctions;
		this.stamp = stamp;
	}

	static BloomLayout of(FilterSpecification specification) {
		return new BloomLayout(size(specification.bits(), specification.hashes()), specification.hashes());
	}

	static BloomLayout stamped(long bits, int hashFunctions) {
		return new BloomLayout(size(bits, hashFunctions), hashFunctions, STAMP);
	}

	/**
	 * Return by how much more than its keys fill a filter, for what passes it, because of
	 * the order of the indexes: so many keys would fill one with independent indexes.
	 */
	static double crowding(int hashFunctions) {
		return 1 + ROOM[Math.min(hashFunctions, ROOM.length - 1)] / 100.0;
	}

	private static long size(long atLeast, int hashFunctions) {
		long size = atLeast;
		while (hasFactor(size, hashFunctions)) {
			size++;
		}
		return size;
	}

	private static boolean hasFactor(long size, int largest) {
		return IntStream.rangeClosed(2, largest).anyMatch((factor) -> size % factor == 0);
	}

	long bits() {
		return this.bits;
	}

	int hashFunctions() {
		return this.hashFunctions;
	}

	boolean isStamped() {
		return this.stamp > 0;
	}

	long stampOffset() {
		return (this.bits + WORD - 1) / WORD * WORD;
	}

	long sealOffset() {
		return stampOffset() + this.stamp;
	}

	long lengthInBytes() {
		return (sealOffset() + WORD) / Byte.SIZE;
	}

	/**
	 * Append the form of an element that is hashed, as Redisson's string codec does,
	 * which differs from {@code String.getBytes} in text that is not well formed.
	 */
	static void encode(String element, ByteBuf target) {
		ByteBufUtil.writeUtf8(target, element);
	}

	/**
	 * Append the form of a number, without a text, to a buffer with an array.
	 */
	static void encode(long number, ByteBuf target) {
		if (number == Long.MIN_VALUE) {
			encode(Long.toString(number), target);
			return;
		}
		if (number < 0) {
			target.writeByte('-');
		}
		long digits = Math.abs(number);
		int length = Decimal.length(digits);
		target.ensureWritable(length);
		int end = target.writerIndex() + length;
		Decimal.write(digits, target.array(), target.arrayOffset() + end);
		target.writerIndex(end);
	}

	void indexes(ByteBuf encoded, ElementHash hash, long[] target, int from) {
		hash.hash(encoded);
		indexes(hash.first(), hash.second(), target, from);
	}

	void indexes(long first, long second, long[] target, int from) {
		long next = first;
		for (int i = 0; i < this.hashFunctions; i++) {
			target[from + i] = remainder(next & Long.MAX_VALUE);
			next += ((i & 1) == 0) ? second : first;
		}
	}

	/**
	 * Divide a number, not negative, by the size. To multiply by the reciprocal and to
	 * correct the result takes a fraction of the time of a division. The quotient is at
	 * most one too small (Granlund and Montgomery, Division by invariant integers using
	 * multiplication, 1994), except for a size of 1.
	 */
	private long remainder(long number) {
		long quotient = Math.multiplyHigh(number, this.reciprocal);
		long rest = number - quotient * this.bits;
		if (rest >= this.bits) {
			rest -= this.bits;
		}
		return (rest < this.bits) ? rest : rest % this.bits;
	}

}
