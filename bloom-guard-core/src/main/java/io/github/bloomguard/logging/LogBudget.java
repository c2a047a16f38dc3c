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

package io.github.bloomguard.logging;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * The lines that all {@link ThrottledLog}s may write together: ten in any minute, some of
 * them kept for what is more important.
 */
final class LogBudget {

	static final int ENDS = 10;

	static final int BEGINNINGS = 7;

	static final int REMINDERS = 4;

	static final LogBudget SHARED = new LogBudget();

	private static final long WINDOW = Duration.ofMinutes(1).toNanos();

	private final Deque<Long> written = new ArrayDeque<>(ENDS);

	synchronized boolean take(long now, int limit) {
		forget(now);
		if (this.written.size() >= limit) {
			return false;
		}
		this.written.addLast(now);
		return true;
	}

	/**
	 * Take a line for something ordinary, which counts only if there was another line, as
	 * when filters are loaded because they were lost.
	 */
	synchronized boolean takeOrdinary(long now) {
		forget(now);
		return this.written.isEmpty() || take(now, REMINDERS);
	}

	private void forget(long now) {
		while (!this.written.isEmpty() && now - this.written.getFirst() >= WINDOW) {
			this.written.removeFirst();
		}
	}

	synchronized void clear() {
		this.written.clear();
	}

}
