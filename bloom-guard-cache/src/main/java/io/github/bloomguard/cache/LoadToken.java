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

package io.github.bloomguard.cache;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A lease that a load holds from its miss on, so that its value is stored only if nothing
 * has invalidated the entry meanwhile: the lease of <i>Scaling Memcache at Facebook</i>
 * (NSDI 2013, 3.2.1).
 * <p>
 * It is what was found in two keys, one for the entry and one for its whole cache. A miss
 * writes a random value into each that is not there; what evicts, clears or replaces
 * deletes it. So a key that has expired, was evicted or flushed makes the tokens of all
 * loads under way invalid, and never valid again. The key of an entry also counts the
 * loads that hold it, and is deleted when one has stored its value, or the last has given
 * it back ({@link TokenReturns}).
 * <p>
 * A load that was not told them in time holds what was in one key before it began, the
 * {@link Epoch}.
 *
 * @param cacheKey where the part of the cache was found
 */
record LoadToken(byte[] ofEntry, byte[] cacheKey, byte[] ofCache) {

	/**
	 * Of a load that could not be given one. Its value is not stored.
	 */
	static final LoadToken INVALID = new LoadToken(new byte[0], new byte[0], new byte[0]);

	private static final int LENGTH = 16;

	static byte[] random() {
		ThreadLocalRandom random = ThreadLocalRandom.current();
		return ByteBuffer.allocate(LENGTH).putLong(random.nextLong()).putLong(random.nextLong()).array();
	}

	static LoadToken of(byte[] reply, byte[] cacheKey) {
		return new LoadToken(Arrays.copyOfRange(reply, 1, 1 + LENGTH), cacheKey,
				Arrays.copyOfRange(reply, 1 + LENGTH, reply.length));
	}

	static LoadToken ofEpoch(byte[] key, byte[] epoch) {
		return new LoadToken(new byte[0], key, epoch);
	}

	boolean isOwn() {
		return this.ofEntry.length > 0;
	}

	/**
	 * Return whether a value may be stored while the token is valid. An add leaves the
	 * epoch as it is.
	 */
	boolean permits(byte[] value) {
		return isOwn() || (this.ofCache.length > 0 && !EntryScripts.isNull(value));
	}

	LoadToken withCache(byte[] ofCache) {
		return new LoadToken(this.ofEntry, this.cacheKey, ofCache);
	}

}
