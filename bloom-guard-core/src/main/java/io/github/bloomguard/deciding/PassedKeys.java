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

import org.jspecify.annotations.Nullable;

/**
 * Some of the keys that a filter has let pass, each in an epoch. In that, they need not
 * be asked for again, because keys are never taken out of a generation, and to let a key
 * pass is never wrong.
 * <p>
 * Concurrency: the slots are written without a lock. A reader sees a whole entry or none.
 */
final class PassedKeys {

	private static final int SLOTS = 1 << 14;

	/**
	 * Longer keys are not kept, so that the memory is bounded.
	 */
	private static final int MAX_LENGTH = 64;

	private final @Nullable Passed[] slots = new Passed[SLOTS];

	boolean contains(String form, long epoch) {
		Passed passed = this.slots[slot(form)];
		return passed != null && passed.epoch() == epoch && passed.form().equals(form);
	}

	void add(String form, long epoch) {
		if (form.length() <= MAX_LENGTH) {
			this.slots[slot(form)] = new Passed(form, epoch);
		}
	}

	private static int slot(String form) {
		int hash = form.hashCode();
		return (hash ^ (hash >>> 16)) & (SLOTS - 1);
	}

	private record Passed(String form, long epoch) {
	}

}
