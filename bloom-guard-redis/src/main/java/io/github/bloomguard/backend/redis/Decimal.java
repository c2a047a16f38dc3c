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

/**
 * Writes numbers that are not negative as they are sent to Redis, without a string.
 */
final class Decimal {

	private static final int LONGEST = 19;

	private Decimal() {
	}

	static byte[] digits(long number) {
		byte[] digits = new byte[length(number)];
		write(number, digits, digits.length);
		return digits;
	}

	static int length(long number) {
		int length = 1;
		for (long power = 10; length < LONGEST && number >= power; power *= 10) {
			length++;
		}
		return length;
	}

	static void write(long number, byte[] target, int end) {
		int at = end;
		long rest = number;
		do {
			long next = rest / 10;
			target[--at] = (byte) ('0' + (rest - next * 10));
			rest = next;
		}
		while (rest > 0);
	}

}
