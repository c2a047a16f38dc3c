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

package io.github.bloomguard.catchup;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link SharedBarrier}, whose rounds end when the test says so.
 */
class SharedBarrierTests {

	private static final Duration LONG = Duration.ofMinutes(1);

	@AutoClose("shutdownNow")
	private final ExecutorService executor = Executors.newCachedThreadPool();

	/**
	 * The rounds that have begun.
	 */
	private final BlockingQueue<CompletableFuture<Boolean>> rounds = new LinkedBlockingQueue<>();

	private SharedBarrier barrier(Duration wait) {
		return new SharedBarrier((deadline) -> {
			CompletableFuture<Boolean> round = new CompletableFuture<>();
			this.rounds.add(round);
			return round.join();
		}, wait, this.executor);
	}

	@Test
	void callerWaitsUntilTheRoundIsPassed() throws Exception {
		CompletableFuture<Boolean> caller = barrier(LONG).pass();
		CompletableFuture<Boolean> round = begun();
		assertThat(caller).isNotDone();
		round.complete(true);
		assertThat(caller.get(10, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void callerWaitsForARoundThatBeginsAfterItCame() throws Exception {
		SharedBarrier barrier = barrier(LONG);
		CompletableFuture<Boolean> first = barrier.pass();
		CompletableFuture<Boolean> earlier = begun();
		CompletableFuture<Boolean> second = barrier.pass();
		earlier.complete(true);
		assertThat(first.get(10, TimeUnit.SECONDS)).isTrue();
		CompletableFuture<Boolean> later = begun();
		assertThat(second).isNotDone();
		later.complete(true);
		assertThat(second.get(10, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void callersThatComeMeanwhileShareTheNextRound() throws Exception {
		SharedBarrier barrier = barrier(LONG);
		barrier.pass();
		CompletableFuture<Boolean> earlier = begun();
		List<CompletableFuture<Boolean>> callers = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			callers.add(barrier.pass());
		}
		earlier.complete(true);
		begun().complete(true);
		for (CompletableFuture<Boolean> caller : callers) {
			assertThat(caller.get(10, TimeUnit.SECONDS)).isTrue();
		}
		assertThat(this.rounds).isEmpty();
	}

	@Test
	void callerGoesThroughWhenItHasWaitedForLongEnough() throws Exception {
		CompletableFuture<Boolean> caller = barrier(Duration.ofMillis(20)).pass();
		CompletableFuture<Boolean> round = begun();
		assertThat(caller.get(10, TimeUnit.SECONDS)).isFalse();
		round.complete(true);
	}

	@Test
	void callersGoThroughAtOnceAfterAFailureUntilARoundIsPassed() throws Exception {
		SharedBarrier barrier = barrier(LONG);
		CompletableFuture<Boolean> caller = barrier.pass();
		begun().completeExceptionally(new IllegalStateException("broken on purpose"));
		assertThat(caller.get(10, TimeUnit.SECONDS)).isFalse();
		assertThat(barrier.pass()).isCompletedWithValue(false);
		CompletableFuture<Boolean> retry = Awaitility.await()
			.pollInterval(Duration.ofMillis(5))
			.until(barrier::pass, (tried) -> !tried.isDone());
		CompletableFuture<Boolean> round = begun();
		assertThat(barrier.pass()).isCompletedWithValue(false);
		round.complete(true);
		assertThat(retry.get(10, TimeUnit.SECONDS)).isTrue();
		CompletableFuture<Boolean> next = barrier.pass();
		assertThat(next).isNotDone();
		begun().complete(true);
		assertThat(next.get(10, TimeUnit.SECONDS)).isTrue();
	}

	@Test
	void callerGoesThroughIfNobodyCanPassABarrier() {
		SharedBarrier barrier = new SharedBarrier((deadline) -> true, LONG, (task) -> {
			throw new RejectedExecutionException("broken on purpose");
		});
		assertThat(barrier.pass()).isCompletedWithValue(false);
		assertThat(barrier.pass()).isCompletedWithValue(false);
	}

	private CompletableFuture<Boolean> begun() throws InterruptedException {
		CompletableFuture<Boolean> round = this.rounds.poll(10, TimeUnit.SECONDS);
		assertThat(round).as("a round that begins").isNotNull();
		return round;
	}

}
