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
 * Writes numbers as they are sent to Redis, without a string in between.
 */
final class Decimal {

	private Decimal() {
	}

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
