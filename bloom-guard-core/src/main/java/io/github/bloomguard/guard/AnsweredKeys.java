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

package io.github.bloomguard.guard;

import java.util.concurrent.atomic.AtomicIntegerArray;

/**
 * Some of the keys that were called absent lately. A key may count as one of them that is
 * none, because to let a call through is never wrong.
 */
final class AnsweredKeys {

	private static final int SLOTS = 1 << 12;

	private final AtomicIntegerArray hashes = new AtomicIntegerArray(SLOTS);

	boolean contains(String form) {
		int hash = form.hashCode();
		return this.hashes.get(slot(hash)) == hash;
	}

	void add(String form) {
		int hash = form.hashCode();
		this.hashes.set(slot(hash), hash);
	}

	void remove(String form) {
		int hash = form.hashCode();
		this.hashes.compareAndSet(slot(hash), hash, 0);
	}

	private static int slot(int hash) {
		return (hash ^ (hash >>> 16)) & (SLOTS - 1);
	}

}
