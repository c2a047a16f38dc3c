package io.github.bloomguard.filter.redisson;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

import io.netty.buffer.Unpooled;
import org.redisson.misc.Hash;

/**
 * The hash of {@code org.redisson.misc.Hash}, which is HighwayHash with 128 bits
 * (Alakuijala, Cox and Wassenberg, Fast keyed hash/pseudo-random function using SIMD
 * multiply and permute, 2016), without the garbage: to hash a number, Redisson's class
 * makes half a kilobyte of it, and takes nearly twice as long. For those who hash
 * millions of elements.
 * <p>
 * It is used only if it gives the same results. An instance is used by one thread.
 */
final class ElementHash {

	private static final int PACKET = 32;

	/**
	 * The bytes that the lanes of a pair give to each other.
	 */
	private static final long EXCHANGED = 0xffff00ff00000000L;

	private static final VarHandle LONG = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

	/**
	 * Whether Redisson hashes in the same way.
	 */
	static final boolean AS_REDISSON = compare();

	private final byte[] packet = new byte[PACKET];

	private long v00;

	private long v01;

	private long v02;

	private long v03;

	private long v10;

	private long v11;

	private long v12;

	private long v13;

	private long m00;

	private long m01;

	private long m02;

	private long m03;

	private long m10;

	private long m11;

	private long m12;

	private long m13;

	/**
	 * Hash some bytes.
	 * @param bytes the bytes
	 * @param length how many of them there are
	 */
	void hash(byte[] bytes, int length) {
		reset();
		int at = 0;
		for (; at + PACKET <= length; at += PACKET) {
			update(bytes, at);
		}
		if (at < length) {
			remainder(bytes, at, length - at);
		}
		for (int i = 0; i < 6; i++) {
			update(swap(this.v02), swap(this.v03), swap(this.v00), swap(this.v01));
		}
	}

	/**
	 * Return the first half of the last hash.
	 */
	long first() {
		return this.v00 + this.m00 + this.v12 + this.m12;
	}

	/**
	 * Return the second half of the last hash.
	 */
	long second() {
		return this.v01 + this.m01 + this.v13 + this.m13;
	}

	private void reset() {
		// the initial state is of digits of pi, mixed with the key that Redisson has
		this.m00 = 0xdbe6d5d5fe4cce2fL;
		this.m01 = 0xa4093822299f31d0L;
		this.m02 = 0x13198a2e03707344L;
		this.m03 = 0x243f6a8885a308d3L;
		this.m10 = 0x3bd39e10cb0ef593L;
		this.m11 = 0xc0acf169b5f18a8cL;
		this.m12 = 0xbe5466cf34e90c6cL;
		this.m13 = 0x452821e638d01377L;
		this.v00 = this.m00 ^ 0x9e3779b97f4a7c15L;
		this.v01 = this.m01 ^ 0xf39cc0605cedc834L;
		this.v02 = this.m02 ^ 0x1082276bf3a27251L;
		this.v03 = this.m03 ^ 0xf86c6a11d0c18e95L;
		this.v10 = this.m10 ^ swap(0x9e3779b97f4a7c15L);
		this.v11 = this.m11 ^ swap(0xf39cc0605cedc834L);
		this.v12 = this.m12 ^ swap(0x1082276bf3a27251L);
		this.v13 = this.m13 ^ swap(0xf86c6a11d0c18e95L);
	}

	private static long swap(long halves) {
		return Long.rotateLeft(halves, Integer.SIZE);
	}

	private void remainder(byte[] bytes, int from, int length) {
		long both = ((long) length << Integer.SIZE) + length;
		this.v00 += both;
		this.v01 += both;
		this.v02 += both;
		this.v03 += both;
		this.v10 = rotateHalves(this.v10, length);
		this.v11 = rotateHalves(this.v11, length);
		this.v12 = rotateHalves(this.v12, length);
		this.v13 = rotateHalves(this.v13, length);
		byte[] packet = this.packet;
		int whole = length & ~3;
		int rest = length & 3;
		Arrays.fill(packet, (byte) 0);
		System.arraycopy(bytes, from, packet, 0, whole);
		if ((length & 16) != 0) {
			System.arraycopy(bytes, from + length - 4, packet, 28, 4);
		}
		else if (rest != 0) {
			packet[16] = bytes[from + whole];
			packet[17] = bytes[from + whole + (rest >> 1)];
			packet[18] = bytes[from + length - 1];
		}
		update(packet, 0);
	}

	private static long rotateHalves(long halves, int distance) {
		return Integer.toUnsignedLong(Integer.rotateLeft((int) halves, distance))
				| (long) Integer.rotateLeft((int) (halves >>> Integer.SIZE), distance) << Integer.SIZE;
	}

	private void update(byte[] bytes, int from) {
		update((long) LONG.get(bytes, from), (long) LONG.get(bytes, from + 8), (long) LONG.get(bytes, from + 16),
				(long) LONG.get(bytes, from + 24));
	}

	private void update(long a0, long a1, long a2, long a3) {
		long x0 = this.v10 + this.m00 + a0;
		long x1 = this.v11 + this.m01 + a1;
		long x2 = this.v12 + this.m02 + a2;
		long x3 = this.v13 + this.m03 + a3;
		this.m00 ^= low(x0) * (this.v00 >>> Integer.SIZE);
		this.m01 ^= low(x1) * (this.v01 >>> Integer.SIZE);
		this.m02 ^= low(x2) * (this.v02 >>> Integer.SIZE);
		this.m03 ^= low(x3) * (this.v03 >>> Integer.SIZE);
		long y0 = this.v00 + this.m10;
		long y1 = this.v01 + this.m11;
		long y2 = this.v02 + this.m12;
		long y3 = this.v03 + this.m13;
		this.m10 ^= low(y0) * (x0 >>> Integer.SIZE);
		this.m11 ^= low(y1) * (x1 >>> Integer.SIZE);
		this.m12 ^= low(y2) * (x2 >>> Integer.SIZE);
		this.m13 ^= low(y3) * (x3 >>> Integer.SIZE);
		long x01 = (x0 ^ x1) & EXCHANGED;
		long x23 = (x2 ^ x3) & EXCHANGED;
		y0 += zipEven(x0 ^ x01);
		y1 += zipOdd(x1 ^ x01);
		y2 += zipEven(x2 ^ x23);
		y3 += zipOdd(x3 ^ x23);
		long y01 = (y0 ^ y1) & EXCHANGED;
		long y23 = (y2 ^ y3) & EXCHANGED;
		this.v10 = x0 + zipEven(y0 ^ y01);
		this.v11 = x1 + zipOdd(y1 ^ y01);
		this.v12 = x2 + zipEven(y2 ^ y23);
		this.v13 = x3 + zipOdd(y3 ^ y23);
		this.v00 = y0;
		this.v01 = y1;
		this.v02 = y2;
		this.v03 = y3;
	}

	private static long low(long number) {
		return number & 0xffffffffL;
	}

	/**
	 * Mix the bytes of two lanes for the even one: 3, 12, 2, 5, 14, 1, 15 and 0 of both,
	 * low byte first, after those that change sides have been {@link #EXCHANGED}.
	 */
	private static long zipEven(long even) {
		return (even >>> 24 & 0xffffL) | (even & 0xff0000L) | (even >>> 16 & 0xffff000000L)
				| (even << 32 & 0xff0000000000L) | (even >>> 8 & 0xff000000000000L) | (even << 56);
	}

	/**
	 * Mix the bytes of two lanes for the odd one: 11, 4, 10, 13, 9, 6, 8 and 7 of both,
	 * low byte first, after those that change sides have been {@link #EXCHANGED}.
	 */
	private static long zipOdd(long odd) {
		return (odd >>> 24 & 0xffffL) | (odd & 0xff00000000ff0000L) | (odd >>> 16 & 0xff000000L)
				| (odd << 24 & 0xff00000000L) | (odd >>> 8 & 0xff0000000000L) | (odd << 48 & 0xff000000000000L);
	}

	private static boolean compare() {
		ElementHash own = new ElementHash();
		byte[] bytes = new byte[4 * PACKET];
		for (int length = 0; length <= bytes.length; length++) {
			for (int i = 0; i < bytes.length; i++) {
				bytes[i] = (byte) (bytes[i] * 31 + length * 7 + i * 53 + 1);
			}
			long[] expected = Hash.hash128(Unpooled.wrappedBuffer(bytes, 0, length));
			own.hash(bytes, length);
			if (own.first() != expected[0] || own.second() != expected[1]) {
				return false;
			}
		}
		return true;
	}

}
