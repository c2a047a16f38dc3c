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

package io.github.bloomguard.filter;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.UUID;

import org.jspecify.annotations.Nullable;

/**
 * Draws keys of all supported types, more often than chance would those that may be taken
 * for one another: what separates the parts of a form, halves of surrogate pairs, extreme
 * numbers. The same seed gives the same keys.
 */
final class RandomKeys {

	private static final String FORM = "()|:-s017d8";

	private static final String BROKEN = "\ud83d\ude00\ud800\udfff?\0";

	private static final String NUMERAL = "+-.eE0179 aA";

	private final SplittableRandom random;

	RandomKeys(long seed) {
		this.random = new SplittableRandom(seed);
	}

	int below(int bound) {
		return this.random.nextInt(bound);
	}

	Object key() {
		return key(2);
	}

	List<@Nullable Object> parts() {
		return parts(2);
	}

	private Object key(int depth) {
		return switch ((depth > 0) ? below(8) : 0) {
			case 4 -> parts(depth);
			case 5 -> new LinkedHashSet<>(parts(depth));
			case 6 -> parts(depth).toArray();
			case 7 -> new Pair(simple(), simple());
			default -> simple();
		};
	}

	private List<@Nullable Object> parts(int depth) {
		List<@Nullable Object> parts = new ArrayList<>();
		for (int count = below(4); count > 0; count--) {
			parts.add((below(10) == 0) ? null : key(depth - 1));
		}
		return parts;
	}

	private Object simple() {
		return switch (below(13)) {
			case 0 -> text();
			case 1 -> below(16) - 3;
			case 2 -> number();
			case 3 -> decimal();
			case 4 -> (below(2) == 0) ? (below(601) - 300) / 100.0 : this.random.nextDouble(-3, 3);
			case 5 -> integer();
			case 6 -> below(2) == 0;
			case 7 -> new UUID(number(), number());
			case 8 -> bytes();
			case 9 -> bytes(new UUID(below(4), below(4)));
			case 10 -> new UUID(below(4), below(4));
			case 11 -> Thread.State.values()[below(Thread.State.values().length)];
			default -> Instant.ofEpochSecond((below(4) == 0) ? below(3) : this.random.nextLong(5_000_000_001L));
		};
	}

	private long number() {
		return switch (below(8)) {
			case 0 -> Long.MIN_VALUE + below(3);
			case 1 -> Long.MAX_VALUE - below(3);
			default -> this.random.nextLong() >> below(Long.SIZE);
		};
	}

	private BigInteger integer() {
		return BigInteger.valueOf(number()).multiply(BigInteger.valueOf((below(2) == 0) ? 1 : number()));
	}

	BigDecimal decimal() {
		return new BigDecimal(integer(), below(7));
	}

	/**
	 * Return text that is a number, or nearly one.
	 */
	String numeral() {
		StringBuilder text = new StringBuilder();
		for (int length = below(10); length > 0; length--) {
			text.append(one(NUMERAL));
		}
		return text.toString();
	}

	private String text() {
		StringBuilder text = new StringBuilder();
		for (int length = below(9); length > 0; length--) {
			text.append(switch (below(7)) {
				case 0 -> (char) below(Character.MAX_VALUE + 1);
				case 1, 2 -> one(BROKEN);
				default -> one(FORM);
			});
		}
		return text.toString();
	}

	private char one(String characters) {
		return characters.charAt(below(characters.length()));
	}

	private byte[] bytes() {
		byte[] bytes = new byte[below(5)];
		this.random.nextBytes(bytes);
		return bytes;
	}

	static byte[] bytes(UUID uuid) {
		return ByteBuffer.allocate(16)
			.putLong(uuid.getMostSignificantBits())
			.putLong(uuid.getLeastSignificantBits())
			.array();
	}

	/**
	 * A composite key.
	 *
	 * @param first its first part
	 * @param second its second part
	 */
	record Pair(Object first, Object second) {

	}

}
