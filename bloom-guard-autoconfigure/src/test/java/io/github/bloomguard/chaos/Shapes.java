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

package io.github.bloomguard.chaos;

import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.UUID;

/**
 * The keys of rows, which come in many forms: each row has one form in which sources and
 * writers give its key, and one in which callers do.
 */
public final class Shapes {

	private static final int FORMS = 6;

	private static final long UUID_HALF = 0x0123_4567_89ab_cdefL;

	/** A lone surrogate, which an encoding may take for a question mark. */
	private static final String BROKEN = "/shop\ud801item=";

	private static final String ORDINARY = "/shop?item=";

	private Shapes() {
	}

	/** Return the key of a row as sources and writers give it. */
	public static Object written(long id) {
		return switch (form(id)) {
			case 1 -> ByteBuffer.allocate(16).putLong(UUID_HALF).putLong(id).array();
			case 2 -> List.of("shop", id);
			case 3 -> BROKEN + id;
			// what the one before would be taken for
			case 4 -> ORDINARY + (id - 1);
			case 5 -> BigDecimal.valueOf(id).setScale(2);
			default -> id;
		};
	}

	/** Return the key of a row as callers give it. */
	static Object asked(long id) {
		return switch (form(id)) {
			case 1 -> new UUID(UUID_HALF, id);
			case 2 -> new Part("shop", id);
			case 5 -> id;
			default -> written(id);
		};
	}

	/** Return the id of the row that a caller asks for. */
	static long id(Object asked) {
		if (asked instanceof UUID uuid) {
			return uuid.getLeastSignificantBits();
		}
		if (asked instanceof Part part) {
			return part.id();
		}
		if (asked instanceof String text) {
			return text.startsWith(BROKEN) ? Long.parseLong(text.substring(BROKEN.length()))
					: Long.parseLong(text.substring(ORDINARY.length())) + 1;
		}
		return (Long) asked;
	}

	private static int form(long id) {
		return (int) (id % FORMS);
	}

	/**
	 * A key of two parts.
	 */
	record Part(String shop, long id) {

	}

}
