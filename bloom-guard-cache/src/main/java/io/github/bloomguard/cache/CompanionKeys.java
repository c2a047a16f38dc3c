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

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The names of the keys that stand beside an entry of a cache. They have a prefix of
 * their own, so that clearing or scanning a cache doesn't meet them.
 * <p>
 * A companion is in the entry's slot of a Redis Cluster, so that one script may use both:
 * it either ends with the entry's key, and thereby has its hash tag, or makes that whole
 * key its hash tag. A key that has a closing brace but no hash tag has no such companion.
 */
final class CompanionKeys {

	/**
	 * As which each byte of a key is one character.
	 */
	private static final Charset BYTES = StandardCharsets.ISO_8859_1;

	private final String prefix;

	private final UnaryOperator<String> clearedWith;

	/**
	 * @param clearedWith gives, by the name of a cache, what those have in common whose
	 * entries are cleared together
	 */
	CompanionKeys(String prefix, UnaryOperator<String> clearedWith) {
		this.prefix = encoded(prefix + ":cache:");
		this.clearedWith = clearedWith;
	}

	boolean shareSlot(byte[] key) {
		String text = text(key);
		return text.indexOf('}') < 0 || hasHashTag(text);
	}

	/**
	 * The key that is there while no null value may be stored for an entry.
	 */
	byte[] heldOff(byte[] key) {
		return sameSlot("held-off:", text(key));
	}

	/**
	 * The key that is there while no null value may be stored in a cache.
	 */
	byte[] cleared(String cache) {
		return sameSlot("cleared:", encoded(this.clearedWith.apply(cache)));
	}

	/**
	 * The keys of an entry and of its cache with the parts of a {@link LoadToken}.
	 */
	byte[] load(byte[] key) {
		return sameSlot("load:", text(key));
	}

	byte[] loads(String cache) {
		return sameSlot("loads:", encoded(this.clearedWith.apply(cache)));
	}

	List<byte[]> ofClear(String cache) {
		return List.of(cleared(cache), loads(cache));
	}

	/**
	 * The key with the token of loads that are told none of their own.
	 */
	byte[] epoch() {
		return bytes(this.prefix + "epoch");
	}

	/**
	 * Two keys that are in different slots of a cluster.
	 */
	List<byte[]> apart() {
		return List.of(bytes("{a}:" + this.prefix + "epoch"), bytes("{b}:" + this.prefix + "epoch"));
	}

	byte[] lock(byte[] key) {
		return sameSlot("lock:", text(key));
	}

	/**
	 * What the keys begin with that tell for whose right to load a chain of loads waits.
	 * They are in one slot, so that one script may go from one to the next.
	 */
	byte[] awaited() {
		return bytes(this.prefix + "{awaited}:");
	}

	/**
	 * The copy that outlives an entry.
	 */
	byte[] stale(byte[] key) {
		String text = text(key);
		return sameSlot(hasHashTag(text) ? "stale:-" : "stale:", text);
	}

	/**
	 * The pattern of copies for one of entries.
	 */
	byte[] stalePattern(byte[] pattern) {
		return bytes(this.prefix + "stale:?" + text(pattern) + "*");
	}

	private byte[] sameSlot(String kind, String key) {
		return bytes(this.prefix + kind + (hasHashTag(key) ? key : "{" + key + "}"));
	}

	private static boolean hasHashTag(String key) {
		int open = key.indexOf('{');
		return open >= 0 && key.indexOf('}', open + 1) > open + 1;
	}

	private static String encoded(String text) {
		return text(text.getBytes(StandardCharsets.UTF_8));
	}

	private static String text(byte[] key) {
		return new String(key, BYTES);
	}

	private static byte[] bytes(String key) {
		return key.getBytes(BYTES);
	}

}
