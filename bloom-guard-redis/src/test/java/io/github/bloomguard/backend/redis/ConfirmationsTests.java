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

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Confirmations}.
 */
class ConfirmationsTests {

	private final List<CompletableFuture<String>> sent = new ArrayList<>();

	private final Confirmations<String> confirmations = new Confirmations<>(() -> {
		CompletableFuture<String> reply = new CompletableFuture<>();
		this.sent.add(reply);
		return reply;
	});

	@Test
	void whoComesWhileOneIsUnderWayHasAShareInTheNext() {
		CompletableFuture<String> first = this.confirmations.confirm();
		CompletableFuture<String> second = this.confirmations.confirm();
		CompletableFuture<String> third = this.confirmations.confirm();
		assertThat(this.sent).hasSize(1);
		this.sent.get(0).complete("one");
		assertThat(first).isCompletedWithValue("one");
		assertThat(second).isNotDone();
		assertThat(this.sent).hasSize(2);
		this.sent.get(1).complete("two");
		assertThat(second).isCompletedWithValue("two");
		assertThat(third).isCompletedWithValue("two");
		assertThat(this.sent).hasSize(2);
	}

	@Test
	void failureIsThatOfThoseWhoHadAShareInIt() {
		CompletableFuture<String> first = this.confirmations.confirm();
		CompletableFuture<String> second = this.confirmations.confirm();
		this.sent.get(0).completeExceptionally(new IllegalStateException("no replica"));
		assertThat(first).isCompletedExceptionally();
		this.sent.get(1).complete("two");
		assertThat(second).isCompletedWithValue("two");
	}

	@Test
	void nextOneIsSentAlthoughSendingHasFailed() {
		Confirmations<String> failing = new Confirmations<>(() -> {
			throw new IllegalStateException("shut down");
		});
		assertThat(failing.confirm()).isCompletedExceptionally();
		assertThat(failing.confirm()).isCompletedExceptionally();
	}

}
