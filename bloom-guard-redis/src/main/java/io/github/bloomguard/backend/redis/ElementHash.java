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

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

import io.netty.buffer.ByteBuf;

/**
 * The hash of {@code org.redisson.misc.Hash}, which is HighwayHash with 128 bits
 * (Alakuijala, Cox and Wassenberg, Fast keyed hash/pseudo-random function using SIMD
 * multiply and permute, 2016), without its half a kilobyte of garbage for each element.
 * An instance is used by one thread.
 */
final class ElementHash {

	private static final int PACKET = 32;

	private static final long KEY_0 = 0x9e3779b97f4a7c15L;

	private static final long KEY_1 = 0xf39cc0605cedc834L;

	private static final long KEY_2 = 0x1082276bf3a27251L;

	private static final long KEY_3 = 0xf86c6a11d0c18e95L;

	private static final long EXCHANGED = 0xffff00ff00000000L;

	private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	private final byte[] packet = new byte[PACKET];

	private long first;

	private long second;

	void hash(ByteBuf encoded) {
		hash(encoded.array(), encoded.readableBytes());
	}

	/**
	 * Hash some bytes: a round for each packet of 32 bytes, one for the rest, and six in
	 * which the state is its own packet. The lanes are in local variables because fields
	 * or arrays would be read and written in each round.
	 */
	void hash(byte[] bytes, int length) {
		// the initial state is of digits of pi, mixed with the key that Redisson has
		long m0 = 0xdbe6d5d5fe4cce2fL;
		long m1 = 0xa4093822299f31d0L;
		long m2 = 0x13198a2e03707344L;
		long m3 = 0x243f6a8885a308d3L;
		long n0 = 0x3bd39e10cb0ef593L;
		long n1 = 0xc0acf169b5f18a8cL;
		long n2 = 0xbe5466cf34e90c6cL;
		long n3 = 0x452821e638d01377L;
		long v0 = m0 ^ KEY_0;
		long v1 = m1 ^ KEY_1;
		long v2 = m2 ^ KEY_2;
		long v3 = m3 ^ KEY_3;
		long w0 = n0 ^ swap(KEY_0);
		long w1 = n1 ^ swap(KEY_1);
		long w2 = n2 ^ swap(KEY_2);
		long w3 = n3 ^ swap(KEY_3);
		int whole = length / PACKET;
		int rest = length % PACKET;
		int packets = (rest > 0) ? whole + 1 : whole;
		for (int round = 0; round < packets + 6; round++) {
			long x0 = w0 + m0;
			long x1 = w1 + m1;
			long x2 = w2 + m2;
			long x3 = w3 + m3;
			if (round < whole) {
				int at = round * PACKET;
				x0 += (long) LONG.get(bytes, at);
				x1 += (long) LONG.get(bytes, at + 8);
				x2 += (long) LONG.get(bytes, at + 16);
				x3 += (long) LONG.get(bytes, at + 24);
			}
			else if (round < packets) {
				fill(this.packet, bytes, whole * PACKET, rest);
				long both = ((long) rest << Integer.SIZE) + rest;
				v0 += both;
				v1 += both;
				v2 += both;
				v3 += both;
				x0 = rotateHalves(w0, rest) + m0 + (long) LONG.get(this.packet, 0);
				x1 = rotateHalves(w1, rest) + m1 + (long) LONG.get(this.packet, 8);
				x2 = rotateHalves(w2, rest) + m2 + (long) LONG.get(this.packet, 16);
				x3 = rotateHalves(w3, rest) + m3 + (long) LONG.get(this.packet, 24);
			}
			else {
				x0 += swap(v2);
				x1 += swap(v3);
				x2 += swap(v0);
				x3 += swap(v1);
			}
			m0 ^= low(x0) * (v0 >>> Integer.SIZE);
			m1 ^= low(x1) * (v1 >>> Integer.SIZE);
			m2 ^= low(x2) * (v2 >>> Integer.SIZE);
			m3 ^= low(x3) * (v3 >>> Integer.SIZE);
			v0 += n0;
			v1 += n1;
			v2 += n2;
			v3 += n3;
			n0 ^= low(v0) * (x0 >>> Integer.SIZE);
			n1 ^= low(v1) * (x1 >>> Integer.SIZE);
			n2 ^= low(v2) * (x2 >>> Integer.SIZE);
			n3 ^= low(v3) * (x3 >>> Integer.SIZE);
			long x01 = (x0 ^ x1) & EXCHANGED;
			long x23 = (x2 ^ x3) & EXCHANGED;
			v0 += zipEven(x0 ^ x01);
			v1 += zipOdd(x1 ^ x01);
			v2 += zipEven(x2 ^ x23);
			v3 += zipOdd(x3 ^ x23);
			long v01 = (v0 ^ v1) & EXCHANGED;
			long v23 = (v2 ^ v3) & EXCHANGED;
			w0 = x0 + zipEven(v0 ^ v01);
			w1 = x1 + zipOdd(v1 ^ v01);
			w2 = x2 + zipEven(v2 ^ v23);
			w3 = x3 + zipOdd(v3 ^ v23);
		}
		this.first = v0 + m0 + w2 + n2;
		this.second = v1 + m1 + w3 + n3;
	}

	long first() {
		return this.first;
	}

	long second() {
		return this.second;
	}

	private static void fill(byte[] packet, byte[] bytes, int from, int length) {
		int whole = length & ~3;
		int rest = length & 3;
		for (int at = 0; at < PACKET; at += Long.BYTES) {
			LONG.set(packet, at, 0L);
		}
		System.arraycopy(bytes, from, packet, 0, whole);
		if ((length & 16) != 0) {
			System.arraycopy(bytes, from + length - 4, packet, 28, 4);
		}
		else if (rest != 0) {
			packet[16] = bytes[from + whole];
			packet[17] = bytes[from + whole + (rest >> 1)];
			packet[18] = bytes[from + length - 1];
		}
	}

	private static long rotateHalves(long halves, int distance) {
		return Integer.toUnsignedLong(Integer.rotateLeft((int) halves, distance))
				| (long) Integer.rotateLeft((int) (halves >>> Integer.SIZE), distance) << Integer.SIZE;
	}

	private static long swap(long halves) {
		return Long.rotateLeft(halves, Integer.SIZE);
	}

	private static long low(long number) {
		return number & 0xffffffffL;
	}

	/**
	 * Mix the bytes of two lanes for the even one: 3, 12, 2, 5, 14, 1, 15 and 0 of both,
	 * low byte first, after {@link #EXCHANGED} ones have changed sides.
	 */
	private static long zipEven(long even) {
		return (even >>> 24 & 0xffffL) | (even & 0xff0000L) | (even >>> 16 & 0xffff000000L)
				| (even << 32 & 0xff0000000000L) | (even >>> 8 & 0xff000000000000L) | (even << 56);
	}

	private static long zipOdd(long odd) {
		return (odd >>> 24 & 0xffffL) | (odd & 0xff00000000ff0000L) | (odd >>> 16 & 0xff000000L)
				| (odd << 24 & 0xff00000000L) | (odd >>> 8 & 0xff0000000000L) | (odd << 48 & 0xff000000000000L);
	}

}
