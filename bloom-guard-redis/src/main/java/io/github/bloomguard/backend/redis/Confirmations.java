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

package io.github.bloomguard.backend.redis;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.bloomguard.circuit.Attempt;
import org.jspecify.annotations.Nullable;

/**
 * Lets threads that wait for replicas share one {@code WAIT}. It keeps a connection for
 * as long as it takes: if each add sent its own, adds that no replica takes would let no
 * lookup pass.
 * <p>
 * One confirmation is under way at a time. Those that come meanwhile share the next one,
 * because what is under way may have passed the server before their keys did.
 * <p>
 * Concurrency: {@code waiting} and {@code underWay} are guarded by this. No lock is held
 * while anything is sent or completed.
 */
final class Confirmations<T> {

	private final Supplier<CompletableFuture<T>> confirmation;

	private @Nullable CompletableFuture<T> waiting;

	private boolean underWay;

	/**
	 * @param confirmation sends the command; what it returns must complete in any case
	 */
	Confirmations(Supplier<CompletableFuture<T>> confirmation) {
		this.confirmation = confirmation;
	}

	CompletableFuture<T> confirm() {
		CompletableFuture<T> next;
		synchronized (this) {
			if (this.waiting == null) {
				this.waiting = new CompletableFuture<>();
			}
			next = this.waiting;
		}
		sendIfIdle();
		return next;
	}

	private void sendIfIdle() {
		CompletableFuture<T> next;
		synchronized (this) {
			next = this.waiting;
			if (this.underWay || next == null) {
				return;
			}
			this.underWay = true;
			this.waiting = null;
		}
		Attempt.of(this.confirmation).whenComplete((value, failure) -> {
			synchronized (this) {
				this.underWay = false;
			}
			sendIfIdle();
			RedisAccess.complete(next, value, failure);
		});
	}

}
