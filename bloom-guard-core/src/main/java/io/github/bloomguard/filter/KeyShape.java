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

import java.util.regex.Pattern;

/**
 * The shape of a key, so that an operator sees numbers here and names there.
 */
public final class KeyShape {

	private static final Pattern INTEGER = Pattern.compile("-?\\d+");

	private static final Pattern UUID = Pattern.compile("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}");

	private static final int MAX_LENGTH = 40;

	private KeyShape() {
	}

	/**
	 * Return the shape of a key: an integer, a UUID, or its text with {@code 9} for each
	 * digit, {@code a} and {@code A} for letters, and {@code ?} for what is no visible
	 * ASCII.
	 */
	public static String of(String key) {
		if (INTEGER.matcher(key).matches()) {
			return "an integer";
		}
		if (UUID.matcher(key).matches()) {
			return "a UUID";
		}
		StringBuilder shape = new StringBuilder("\"");
		key.chars().limit(MAX_LENGTH).forEach((character) -> shape.append(shape((char) character)));
		return shape.append((key.length() > MAX_LENGTH) ? "…\"" : "\"").toString();
	}

	private static char shape(char character) {
		if (Character.isDigit(character)) {
			return '9';
		}
		if (Character.isUpperCase(character)) {
			return 'A';
		}
		if (Character.isLetter(character)) {
			return 'a';
		}
		return (character >= ' ' && character < 127) ? character : '?';
	}

}
