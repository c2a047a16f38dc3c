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

package io.github.bloomguard.cache;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;

import io.github.bloomguard.cache.EntryScripts.HeldToken;
import org.jspecify.annotations.Nullable;

/**
 * Gives back the tokens of loads that have ended and store nothing, so that a flood of
 * keys that are not there leaves as little in Redis as it does without the guard. No
 * caller waits for it: tokens are given back in the background, many in one command.
 * <p>
 * Nothing depends on it. A token that is not given back, because there are too many or
 * Redis does not answer, expires. One that is given back while another load shares it
 * stays with that load.
 * <p>
 * Concurrency: the queue is guarded by the monitor, which is not held while Redis is
 * asked. At most one thread of the executor asks it.
 */
final class TokenReturns {

	static final int MOST = 10_000;

	private static final int MOST_BYTES = 4 * 1024 * 1024;

	private static final int TOGETHER = 500;

	private static final int BYTES_TOGETHER = 256 * 1024;

	private final EntryScripts scripts;

	private final Executor executor;

	private final Queue<HeldToken> waiting = new ArrayDeque<>();

	private long bytes;

	private boolean running;

	TokenReturns(EntryScripts scripts, Executor executor) {
		this.scripts = scripts;
		this.executor = executor;
	}

	/**
	 * Give back a token that stores nothing, if it is of the entry alone.
	 * @param token {@code null} if the load had none
	 */
	void add(EntryKey entry, @Nullable LoadToken token) {
		if (token != null && token.isOwn()) {
			enqueue(new HeldToken(entry.key(), token.ofEntry()));
		}
	}

	private synchronized void enqueue(HeldToken token) {
		if (this.waiting.size() >= MOST || this.bytes >= MOST_BYTES) {
			return;
		}
		this.waiting.add(token);
		this.bytes += token.key().length;
		if (!this.running) {
			try {
				this.executor.execute(this::run);
				this.running = true;
			}
			catch (RejectedExecutionException | OutOfMemoryError ex) {
				// the next one tries again
			}
		}
	}

	private synchronized List<HeldToken> next() {
		List<HeldToken> next = new ArrayList<>();
		int bytes = 0;
		while (next.size() < TOGETHER && bytes < BYTES_TOGETHER && !this.waiting.isEmpty()) {
			HeldToken token = this.waiting.remove();
			bytes += token.key().length;
			next.add(token);
		}
		this.bytes -= bytes;
		this.running = !next.isEmpty();
		return next;
	}

	private void run() {
		for (List<HeldToken> next = next(); !next.isEmpty(); next = next()) {
			try {
				this.scripts.giveBack(next);
			}
			catch (RuntimeException | OutOfMemoryError ex) {
				// they expire
			}
		}
	}

}
