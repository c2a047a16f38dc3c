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

package io.github.bloomguard.instance;

import org.jspecify.annotations.Nullable;

/**
 * Something that a control record says and that outlives the record: one that begins
 * anew, because the one before was lost, does not say it, and it is to be written back.
 * One that no longer says what it has said has taken it back.
 * <p>
 * Concurrency: only refreshes write, of which there is one at a time unless one hangs.
 *
 * @param <T> the type of what is said
 */
final class Remembered<T> {

	private volatile @Nullable Memory<T> memory;

	/**
	 * Return what was said last and was not taken back.
	 */
	@Nullable T value() {
		Memory<T> memory = this.memory;
		return (memory != null) ? memory.value() : null;
	}

	/**
	 * Return what the present record lacks, {@code null} if it lacks nothing.
	 */
	@Nullable T lost() {
		Memory<T> memory = this.memory;
		return (memory != null && memory.lost()) ? memory.value() : null;
	}

	/**
	 * Take note of what a record says.
	 * @param created when the record was created
	 */
	void read(long created, @Nullable T said) {
		Memory<T> before = this.memory;
		if (said != null) {
			this.memory = new Memory<>(said, created, false);
		}
		else if (before != null && before.created() != created) {
			this.memory = new Memory<>(before.value(), before.created(), true);
		}
		else {
			forget();
		}
	}

	void forget() {
		this.memory = null;
	}

	/**
	 * A value, and when the record was created that said it.
	 */
	private record Memory<T>(T value, long created, boolean lost) {

	}

}
