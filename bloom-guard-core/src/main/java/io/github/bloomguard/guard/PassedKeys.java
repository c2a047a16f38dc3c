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

import org.jspecify.annotations.Nullable;

/**
 * Some of the keys that a filter has let pass in its present epoch. They need not be
 * asked for again, because keys are never taken out of a generation, and to let a key
 * pass is never wrong.
 * <p>
 * Concurrency: the slots are written without a lock. A reader sees a key that was put
 * there in this epoch, or {@code null}.
 */
final class PassedKeys {

	private static final int SLOTS = 1 << 14;

	/**
	 * Longer keys are not kept, so that the memory is bounded.
	 */
	private static final int MAX_LENGTH = 64;

	private volatile Epoch current = new Epoch(0);

	boolean contains(String form, long epoch) {
		Epoch current = this.current;
		return current.number == epoch && form.equals(current.slots[slot(form)]);
	}

	void add(String form, long epoch) {
		if (form.length() > MAX_LENGTH) {
			return;
		}
		Epoch current = this.current;
		if (current.number < epoch) {
			current = new Epoch(epoch);
			this.current = current;
		}
		if (current.number == epoch) {
			current.slots[slot(form)] = form;
		}
	}

	private static int slot(String form) {
		int hash = form.hashCode();
		return (hash ^ (hash >>> 16)) & (SLOTS - 1);
	}

	private static final class Epoch {

		private final long number;

		private final @Nullable String[] slots = new String[SLOTS];

		Epoch(long number) {
			this.number = number;
		}

	}

}
