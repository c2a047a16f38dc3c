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

package io.github.bloomguard.circuit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SharedAttempt}.
 */
class SharedAttemptTests {

	private final List<CompletableFuture<String>> begun = new ArrayList<>();

	private final SharedAttempt<String> attempt = new SharedAttempt<>(this::begin);

	private CompletableFuture<String> begin() {
		this.begun.add(new CompletableFuture<>());
		return this.begun.get(this.begun.size() - 1);
	}

	@Test
	void attemptBeginsWhenItIsNeededAndIsShared() {
		assertThat(this.begun).isEmpty();
		CompletableFuture<String> result = this.attempt.get();
		assertThat(this.attempt.get()).isSameAs(result).isNotDone();
		this.begun.get(0).complete("connected");
		assertThat(this.attempt.get()).isSameAs(result).isCompletedWithValue("connected");
		assertThat(this.begun).hasSize(1);
	}

	@Test
	void attemptThatHasFailedIsMadeAgainWhenItIsNeeded() {
		CompletableFuture<String> first = this.attempt.get();
		IllegalStateException failure = new IllegalStateException("refused");
		this.begun.get(0).completeExceptionally(new CompletionException(failure));
		assertThat(this.begun).hasSize(1);
		assertThat(first.handle((result, thrown) -> thrown)).isCompletedWithValue(failure);
		CompletableFuture<String> second = this.attempt.get();
		this.begun.get(1).complete("connected");
		assertThat(second).isCompletedWithValue("connected");
	}

	@Test
	void attemptThatCanNotBeginHasFailed() {
		SharedAttempt<String> rejected = new SharedAttempt<>(() -> {
			throw new RejectedExecutionException("closed");
		});
		assertThat(rejected.get()).isCompletedExceptionally();
		SharedAttempt<String> withoutThread = new SharedAttempt<>(() -> {
			throw new OutOfMemoryError("unable to create native thread");
		});
		assertThat(withoutThread.get()).isCompletedExceptionally();
	}

	@Test
	void attemptIsMadeAgainAfterItWasReset() {
		assertThat(this.attempt.reset()).isFalse();
		this.attempt.get();
		assertThat(this.attempt.reset()).isTrue();
		this.attempt.get();
		assertThat(this.begun).hasSize(2);
		this.begun.get(1).completeExceptionally(new IllegalStateException("refused"));
		assertThat(this.attempt.reset()).isFalse();
	}

}
