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

package io.github.bloomguard.changes;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/**
 * Names the replication slot and publication of a filter, the same in all instances.
 */
final class SlotName {

	private static final int MAX_LENGTH = 63;

	private SlotName() {
	}

	static String prefix(String owner) {
		return "bloomguard_" + hash(owner) + "_";
	}

	static String of(String owner, String filter) {
		String readable = filter.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9_]", "_");
		String name = prefix(owner) + hash(filter) + "_" + readable;
		return name.substring(0, Math.min(name.length(), MAX_LENGTH));
	}

	private static String hash(String text) {
		try {
			byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(digest, 0, 4);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Each Java platform has SHA-256", ex);
		}
	}

}
