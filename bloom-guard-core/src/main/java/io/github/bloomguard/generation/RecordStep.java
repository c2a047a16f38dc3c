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

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

import io.github.bloomguard.generation.ControlStore.Swap;
import org.jspecify.annotations.Nullable;

/**
 * A step from one {@link RecordState} to the next: what was read decides, and is swapped
 * for what comes of it, unless it has changed meanwhile; then this begins anew. So a step
 * is atomic although no store knows what it does.
 */
record RecordStep(ControlStore store, @Nullable String token, UnaryOperator<RecordState> command) {

	/**
	 * How often a record may change meanwhile. Builders are one at a time, and others
	 * change it when a filter was wrong.
	 */
	private static final int ATTEMPTS = 20;

	/**
	 * Make a step that only the present builder may make.
	 * @return the record afterwards; empty if another instance is the builder
	 */
	static CompletableFuture<Optional<RecordState>> asBuilder(ControlStore store, String token,
			UnaryOperator<RecordState> command) {
		return new RecordStep(store, token, command).make(1);
	}

	/**
	 * Make a step that anybody may make.
	 * @return the record afterwards; empty if there was nothing to do
	 */
	static CompletableFuture<Optional<RecordState>> asAnybody(ControlStore store, UnaryOperator<RecordState> command) {
		return new RecordStep(store, null, command).make(1);
	}

	private CompletableFuture<Optional<RecordState>> make(int attempt) {
		return this.store.state().thenCompose((before) -> {
			RecordState after = this.command.apply(before);
			if (this.token == null && after == before) {
				return CompletableFuture.completedFuture(Optional.empty());
			}
			return this.store.swap(this.token, before, after).thenCompose((swap) -> {
				if (swap == Swap.MOVED && attempt < ATTEMPTS) {
					return make(attempt + 1);
				}
				return switch (swap) {
					case MADE -> CompletableFuture.completedFuture(Optional.of(after));
					case FENCED -> CompletableFuture.completedFuture(Optional.empty());
					case MOVED -> CompletableFuture
						.failedFuture(new IllegalStateException("The control record changes again and again"));
				};
			});
		});
	}

}
