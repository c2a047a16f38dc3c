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

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Texts one after the other, each after the number of its bytes: {@code 3:abc,}.
 */
final class Netstrings {

	private Netstrings() {
	}

	static byte[] encode(List<String> texts) {
		ByteArrayOutputStream encoded = new ByteArrayOutputStream();
		for (String text : texts) {
			byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
			encoded.writeBytes((bytes.length + ":").getBytes(StandardCharsets.US_ASCII));
			encoded.writeBytes(bytes);
			encoded.write(',');
		}
		return encoded.toByteArray();
	}

	static List<String> decode(byte[] encoded) {
		List<String> texts = new ArrayList<>();
		int at = 0;
		while (at < encoded.length) {
			int length = 0;
			int digits = at;
			while (at < encoded.length && at - digits < 9 && encoded[at] >= '0' && encoded[at] <= '9') {
				length = length * 10 + encoded[at++] - '0';
			}
			int end = at + 1 + length;
			if (at == digits || end >= encoded.length || encoded[at] != ':' || encoded[end] != ',') {
				return List.of();
			}
			texts.add(new String(encoded, at + 1, length, StandardCharsets.UTF_8));
			at = end + 1;
		}
		return texts;
	}

}
