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

/**
 * The characters of numbers as {@link Long#toString(long)} has them, in blocks of four
 * UTF-16 code units, the first of them lowest. {@link Long#MIN_VALUE} is not supported.
 */
final class Decimals {

	private static final int CHARS = Long.BYTES / Character.BYTES;

	private static final long[] POWERS = new long[19];

	static {
		POWERS[0] = 1;
		for (int i = 1; i < POWERS.length; i++) {
			POWERS[i] = 10 * POWERS[i - 1];
		}
	}

	private Decimals() {
	}

	static int length(long number) {
		long size = Math.abs(number);
		int digits = 1;
		while (digits < POWERS.length && size >= POWERS[digits]) {
			digits++;
		}
		return (number < 0) ? digits + 1 : digits;
	}

	static long block(long number, int length, int from) {
		return chars(Math.abs(number) / POWERS[length - from - CHARS], CHARS, number < 0 && from == 0);
	}

	static long rest(long number, int length, int from) {
		return chars(Math.abs(number), length - from, number < 0 && from == 0);
	}

	private static long chars(long digits, int count, boolean signed) {
		long rest = digits;
		long chars = 0;
		for (int i = count; i > (signed ? 1 : 0); i--) {
			chars = chars << Character.SIZE | ('0' + rest % 10);
			rest /= 10;
		}
		return signed ? chars << Character.SIZE | '-' : chars;
	}

}
