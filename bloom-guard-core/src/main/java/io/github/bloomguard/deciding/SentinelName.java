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

package io.github.bloomguard.deciding;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * Under which name it is remembered that a key was not found.
 *
 * @param name what an add of an equal key forgets
 * @param text the key itself, if others may have that name; empty if it is the name. Of a
 * long one, which a caller may have chosen, a digest
 */
public record SentinelName(String name, String text) {

	private static final int LONGEST_TEXT = 64;

	public SentinelName {
		text = (text.length() > LONGEST_TEXT) ? digest(text) : text;
	}

	private static String digest(String text) {
		try {
			// with a sign before it, it is longer than any text that is kept
			return "#" + HexFormat.of()
				.formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Each Java platform has SHA-256", ex);
		}
	}

}
