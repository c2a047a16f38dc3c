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
import java.time.Instant;

/**
 * How the deployment that brought an origin was, or is, rolled out. Until it is over,
 * instances of before may insert rows whose keys they do not add, so that what was loaded
 * meanwhile is provisional.
 *
 * @param arrived when the first instance with the origin is known to have run, in
 * milliseconds of the server's clock
 * @param begun when the build of the active generation began, by the same clock
 * @since 1.0.0
 */
public record Rollout(long arrived, long begun) {

	/**
	 * Nobody inserts who does not add.
	 */
	public static final Rollout OVER = new Rollout(0, Long.MAX_VALUE);

	boolean isOver(Duration settle) {
		return this.begun - this.arrived >= settle.toMillis();
	}

	Instant end(Duration settle) {
		return Instant.ofEpochMilli(this.arrived).plus(settle);
	}

}
