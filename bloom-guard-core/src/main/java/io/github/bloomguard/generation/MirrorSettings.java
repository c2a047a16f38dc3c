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

package io.github.bloomguard.generation;

import java.time.Duration;

/**
 * Whether an instance may keep a mirror of a filter.
 *
 * @param maxMemory how many bytes the mirror may take, 0 for no mirror
 * @param longestAdd the longest time that adding a key takes
 * @param journalRetention how long added keys are kept in the journal
 * @since 1.0.0
 */
public record MirrorSettings(long maxMemory, Duration longestAdd, Duration journalRetention) {

	/**
	 * No mirror is kept.
	 */
	public static final MirrorSettings OFF = new MirrorSettings(0, Duration.ZERO, Duration.ZERO);

	boolean permit(Generation generation) {
		return sizeOf(generation) <= this.maxMemory;
	}

	static long sizeOf(Generation generation) {
		return generation.specification().bits() / Byte.SIZE + 1;
	}

}
