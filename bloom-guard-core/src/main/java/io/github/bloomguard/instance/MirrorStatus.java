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

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * How the mirror of one filter is doing, and how long this instance's adds have waited
 * for those of others.
 *
 * @param sizeInBytes the memory that it takes, 0 if there is none
 * @param position up to where it has the add journal, {@code null} if it has none of it
 * @param problem why there is none, {@code null} if nothing is known against it
 */
public record MirrorStatus(State state, long sizeInBytes, @Nullable String position, @Nullable String problem,
		long waits, Duration waited) {

	/**
	 * Whether a mirror answers.
	 */
	public enum State {

		OFF,

		NONE,

		/**
		 * Redis is asked, because it is being made or may not answer at the moment.
		 */
		WAITING,

		ANSWERING

	}

}
