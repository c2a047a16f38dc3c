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

package io.github.bloomguard.backend.memory;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * A lease. Guarded by its {@link FilterMemory}.
 */
final class Lease {

	private @Nullable String holder;

	private long until;

	boolean isHeldBy(String token, long now) {
		return token.equals(this.holder) && now < this.until;
	}

	/**
	 * Take it, or keep it for longer.
	 * @return zero if it was taken, otherwise the milliseconds until it can be
	 */
	long take(String token, Duration duration, long now) {
		if (this.holder != null && now < this.until && !token.equals(this.holder)) {
			return this.until - now;
		}
		this.holder = token;
		this.until = now + duration.toMillis();
		return 0;
	}

	void release() {
		this.holder = null;
	}

}
