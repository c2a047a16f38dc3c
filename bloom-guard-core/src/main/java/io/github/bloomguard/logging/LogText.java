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

import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.jspecify.annotations.Nullable;

/**
 * Makes text fit for a log line: one line, without control codes, not too long.
 */
public final class LogText {

	private static final int MAX_LENGTH = 200;

	/**
	 * Of what the guard says itself, whose end is what to do.
	 */
	private static final int MAX_OWN_LENGTH = 1000;

	private static final String SERVERS = "(?:[\\w.-]+|\\[[\\da-fA-F:.]+])(?::\\d+)?";

	private static final Pattern SERVER = Pattern.compile("(?<scheme>[\\w.+:-]+:)//(?:[^@/?;()]*@)?(?<servers>"
			+ SERVERS + "(?:," + SERVERS + ")*)(?:[/?;][^@()]*)?");

	private LogText() {
	}

	public static String of(@Nullable Object value) {
		return of(value, MAX_LENGTH);
	}

	static String ofOwn(String message) {
		return of(message, MAX_OWN_LENGTH);
	}

	private static String of(@Nullable Object value, int longest) {
		String text = String.valueOf(value);
		StringBuilder line = new StringBuilder(Math.min(text.length(), longest) + 1);
		for (int i = 0; i < text.length(); i++) {
			if (i == longest) {
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

	/**
	 * Return scheme and servers of a URL: all else may be, or belong to, a password. If
	 * the servers can't be told from that for certain, it is the scheme alone.
	 */
	public static String server(String url) {
		Matcher server = SERVER.matcher(url);
		return of(server.matches() ? server.group("scheme") + "//" + server.group("servers")
				: url.replaceFirst("(?s)^((?:jdbc:)?[\\w.+-]*:)?.*$", "$1"));
	}

	private static boolean isReadable(char character) {
		return switch (Character.getType(character)) {
			case Character.CONTROL, Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR -> false;
			default -> true;
		};
	}

}
