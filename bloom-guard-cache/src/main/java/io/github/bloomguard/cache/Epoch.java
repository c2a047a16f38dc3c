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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/**
 * A token that all loads share, for those that were not told one of their own in time:
 * what one key contained, which all that evicts, clears or replaces deletes, when Redis
 * was asked last. It is known before a load begins, so on a busy machine what is loaded
 * meanwhile can be stored.
 * <p>
 * Concurrency: the thread that has set {@code asking} asks Redis and writes
 * {@code known}.
 */
final class Epoch {

	private final EntryScripts scripts;

	private final Executor executor;

	private final BooleanSupplier answers;

	private final AtomicBoolean asking = new AtomicBoolean();

	private volatile LoadToken known = LoadToken.INVALID;

	/**
	 * @param answers returns whether it makes sense to ask
	 */
	Epoch(EntryScripts scripts, Executor executor, BooleanSupplier answers) {
		this.scripts = scripts;
		this.executor = executor;
		this.answers = answers;
	}

	/**
	 * Return the token of a load that begins now, and ask in the background for that of
	 * later ones.
	 */
	LoadToken token() {
		LoadToken known = this.known;
		if (this.answers.getAsBoolean() && this.asking.compareAndSet(false, true)) {
			CompletableFuture.completedFuture(null).thenRunAsync(this::ask, this.executor).exceptionally((rejected) -> {
				this.asking.set(false);
				return null;
			});
		}
		return known;
	}

	void ask() {
		try {
			this.known = this.scripts.epoch();
		}
		catch (RuntimeException ex) {
			// the next load asks again
		}
		finally {
			this.asking.set(false);
		}
	}

}
