package io.github.bloomguard.backend.redis;

/**
 * A piece of the string of a filter, in memory.
 * <p>
 * Concurrency: the bytes are written under this object's monitor, many bits at a time.
 * Threads compute the indexes of many elements at the same time and then set their bits
 * one after the other, which takes a small part of the time; setting each bit atomically
 * would take each of them twice as long.
 */
final class LocalBits {

	private final long from;

	private final byte[] bytes;

	/**
	 * Create a piece without any bits set.
	 * @param from the index of its first byte
	 * @param length how many bytes it has
	 */
	LocalBits(long from, int length) {
		this.from = from;
		this.bytes = new byte[length];
	}

	/**
	 * Set those of some bits that are in this piece.
	 * @param indexes the indexes of bits in the whole string
	 * @param count how many of the indexes are used
	 */
	synchronized void set(long[] indexes, int count) {
		byte[] bytes = this.bytes;
		for (int i = 0; i < count; i++) {
			long at = (indexes[i] >> 3) - this.from;
			if (at >= 0 && at < bytes.length) {
				bytes[(int) at] |= (byte) (0x80 >> (indexes[i] & 7));
			}
		}
	}

	/**
	 * Write over some bytes.
	 * @param from the index of the first one in the whole string
	 * @param replacement the bytes, all in this piece
	 */
	synchronized void put(long from, byte[] replacement) {
		System.arraycopy(replacement, 0, this.bytes, Math.toIntExact(from - this.from), replacement.length);
	}

	/**
	 * Return the index of the first byte.
	 */
	long from() {
		return this.from;
	}

	/**
	 * Return the index after that of the last byte.
	 */
	long to() {
		return this.from + this.bytes.length;
	}

	/**
	 * Return the bytes, not a copy, to be read when no more bits are set.
	 */
	synchronized byte[] bytes() {
		return this.bytes;
	}

}
