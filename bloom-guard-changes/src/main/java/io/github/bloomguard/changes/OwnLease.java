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

package io.github.bloomguard.changes;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

/**
 * The name of the lease that this instance waits for. Another deployment of the same
 * application may have it, which keeps its filter in another Redis: then no instance
 * moves what this filter has reached, although the log goes on. So after a minute of
 * that, the next name is tried. If the follower was only slow, two follow, which does no
 * harm.
 */
final class OwnLease {

	static final Duration LONGEST = Duration.ofMinutes(1);

	/**
	 * As long as a lock of the server's may be called, without the number.
	 */
	private static final int MAX_LENGTH = 60;

	private final String name;

	private @Nullable BinlogPlace reached;

	private long since;

	private volatile int number;

	OwnLease(String name) {
		this.name = name;
	}

	String name() {
		return (this.number == 0) ? this.name
				: this.name.substring(0, Math.min(this.name.length(), MAX_LENGTH)) + "_" + this.number;
	}

	/**
	 * Note that another instance has the lease.
	 * @param reached what the filter has, by the instance that follows for it
	 * @param end of the log
	 */
	synchronized void taken(BinlogPlace reached, BinlogPlace end, long now) {
		if (!reached.equals(this.reached) || reached.equals(end)) {
			this.reached = reached;
			this.since = now;
		}
		else if (now - this.since > LONGEST.toNanos()) {
			this.number++;
			this.since = now;
		}
	}

}
