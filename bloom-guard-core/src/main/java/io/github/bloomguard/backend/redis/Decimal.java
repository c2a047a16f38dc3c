package io.github.bloomguard.backend.redis;

/**
 * Writes numbers as they are sent to Redis, without a string in between.
 */
final class Decimal {

	private Decimal() {
	}

	/**
	 * Return the digits of a number.
	 * @param number the number, not negative
	 */
	static byte[] digits(long number) {
		int length = 1;
		for (long rest = number; rest >= 10; rest /= 10) {
			length++;
		}
		byte[] digits = new byte[length];
		long rest = number;
		for (int i = length - 1; i >= 0; i--) {
			long next = rest / 10;
			digits[i] = (byte) ('0' + (rest - next * 10));
			rest = next;
		}
		return digits;
	}

}
