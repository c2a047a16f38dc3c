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

import java.nio.ByteBuffer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * The word past the bits of a filter, made of its name, size and hash, so another filter
 * under the same name, or bits of another hash, have another word. Only these two values
 * are ever written there, the first one together with the last of the string, so a reader
 * that finds one of them knows that no bit was lost since.
 *
 * @param loading while the first elements are being added; positive
 * @param sealed when they are all in; positive
 */
record SealWord(long loading, long sealed) {

	static SealWord of(String name, BloomLayout layout) {
		ByteBuf text = Unpooled.buffer();
		BloomLayout.encode(layout.bits() + "|" + layout.hashFunctions() + "|" + name, text);
		ElementHash hash = new ElementHash();
		hash.hash(text);
		// 62 bits, so that the word is a positive number, also twice and plus one
		long number = Math.max(1, (hash.first() ^ hash.second()) >>> 2);
		return new SealWord(number << 1, (number << 1) | 1);
	}

	static byte[] bytes(long value) {
		return ByteBuffer.allocate(Long.BYTES).putLong(value).array();
	}

}
