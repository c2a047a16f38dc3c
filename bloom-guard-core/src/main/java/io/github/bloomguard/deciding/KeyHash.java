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

import java.security.SecureRandom;

/**
 * A hash of a key, with a secret salt: callers can't choose keys that share a hash.
 */
public final class KeyHash {

	private static final long SALT = new SecureRandom().nextLong() | 1;

	private static final long GOLDEN = 0x9E3779B97F4A7C15L;

	private KeyHash() {
	}

	/**
	 * Return the hash of a key whose digits are its form.
	 */
	public static long of(long number) {
		return mixed((number ^ SALT) * GOLDEN);
	}

	public static long of(String form) {
		long hash = SALT;
		for (int i = 0; i < form.length(); i++) {
			hash = (hash ^ form.charAt(i)) * GOLDEN;
			hash ^= hash >>> 29;
		}
		return mixed(hash);
	}

	private static long mixed(long hash) {
		long mixed = (hash ^ (hash >>> 32)) * SALT;
		return mixed ^ (mixed >>> 29);
	}

}
