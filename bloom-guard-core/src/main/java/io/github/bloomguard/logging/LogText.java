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

package io.github.bloomguard.logging;

import org.jspecify.annotations.Nullable;

/**
 * Makes text fit for a log line: one line, without control codes, not too long.
 */
public final class LogText {

	private static final int MAX_LENGTH = 200;

	private LogText() {
	}

	public static String of(@Nullable Object value) {
		String text = String.valueOf(value);
		StringBuilder line = new StringBuilder(Math.min(text.length(), MAX_LENGTH) + 1);
		for (int i = 0; i < text.length(); i++) {
			if (i == MAX_LENGTH) {
				return line.append('…').toString();
			}
			char character = text.charAt(i);
			if (isReadable(character)) {
				line.append(character);
			}
			else {
				line.append("\\u%04x".formatted((int) character));
			}
		}
		return line.toString();
	}

	private static boolean isReadable(char character) {
		return switch (Character.getType(character)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
			default -> true;
		};
	}

}
