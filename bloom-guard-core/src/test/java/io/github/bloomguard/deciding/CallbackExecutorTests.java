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

package io.github.bloomguard.deciding;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willThrow;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link CallbackExecutor}.
 */
class CallbackExecutorTests {

	private final ExecutorService application = Executors.newSingleThreadExecutor((task) -> new Thread(task, "theirs"));

	private final ExecutorService own = Executors.newCachedThreadPool((task) -> new Thread(task, "ours"));

	private final ExecutorService redis = Executors.newSingleThreadExecutor((task) -> new Thread(task, "redis"));

	private final CountDownLatch busy = new CountDownLatch(1);

	@AfterEach
	void stop() {
		this.busy.countDown();
		this.application.shutdownNow();
		this.own.shutdownNow();
		this.redis.shutdownNow();
	}

	@Test
	void answerIsHandedToAThreadOfTheApplication() {
		CallbackExecutor handOver = new CallbackExecutor(this.application, this.own, (task) -> task);
		assertThat(thread(handOver, Duration.ofMinutes(1))).succeedsWithin(Duration.ofSeconds(20)).isEqualTo("theirs");
	}

	@Test
	void whatIsBoundToTheThreadThatAsksIsThereWhenTheAnswerIs() {
		ThreadLocal<String> tenant = new ThreadLocal<>();
		CallbackExecutor handOver = new CallbackExecutor(this.application, this.own, (task) -> {
			String asking = tenant.get();
			return () -> {
				tenant.set(asking);
				task.run();
			};
		});
		tenant.set("two");
		CompletableFuture<String> answer = new CompletableFuture<>();
		CompletableFuture<String> seen = handOver.handOver(answer, in(Duration.ofMinutes(1)))
			.thenApply((value) -> value + " for " + tenant.get());
		this.redis.execute(() -> answer.complete("answer"));
		assertThat(seen).succeedsWithin(Duration.ofSeconds(20)).isEqualTo("answer for two");
	}

	@Test
	void answerIsHandedToAnotherThreadInTimeIfThoseOfTheApplicationAreBusy() {
		this.application.execute(() -> {
			try {
				this.busy.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		});
		CallbackExecutor handOver = new CallbackExecutor(this.application, this.own, (task) -> task);
		assertThat(thread(handOver, Duration.ofMillis(50))).succeedsWithin(Duration.ofSeconds(20)).isEqualTo("ours");
	}

	static List<Throwable> refusals() {
		return List.of(new RejectedExecutionException("full"), new OutOfMemoryError("unable to create native thread"));
	}

	@ParameterizedTest
	@MethodSource("refusals")
	void answerIsHandedToAnotherThreadIfTheApplicationTakesNoMore(Throwable refusal) {
		Executor refusing = mock();
		willThrow(refusal).given(refusing).execute(any());
		CallbackExecutor handOver = new CallbackExecutor(refusing, this.own, (task) -> task);
		assertThat(thread(handOver, Duration.ofMinutes(1))).succeedsWithin(Duration.ofSeconds(20)).isEqualTo("ours");
	}

	@Test
	void threadOfRedisRunsNothingOfTheUserEvenWhenNobodyTakesAnything() {
		this.own.shutdownNow();
		this.application.shutdownNow();
		CallbackExecutor handOver = new CallbackExecutor(this.application, this.own, (task) -> task);
		assertThat(thread(handOver, Duration.ofMinutes(1))).succeedsWithin(Duration.ofSeconds(20))
			.isNotEqualTo("redis");
	}

	@Test
	void failureIsHandedOverToo() {
		CompletableFuture<String> failed = new CompletableFuture<>();
		CompletableFuture<String> handed = new CallbackExecutor(this.application, this.own, (task) -> task)
			.handOver(failed, in(Duration.ofMinutes(1)));
		failed.completeExceptionally(new IllegalStateException("broken"));
		assertThatThrownBy(handed::join).hasCauseInstanceOf(IllegalStateException.class);
	}

	@Test
	void answerThatIsKnownIsHandedOverAtOnce() {
		CompletableFuture<String> known = CompletableFuture.completedFuture("known");
		assertThat(new CallbackExecutor(this.application, this.own, (task) -> task).handOver(known, () -> 0))
			.isSameAs(known);
	}

	/**
	 * Return the name of the thread on which an answer of Redis arrives.
	 */
	private CompletableFuture<String> thread(CallbackExecutor handOver, Duration wait) {
		CompletableFuture<String> answer = new CompletableFuture<>();
		CompletableFuture<String> thread = handOver.handOver(answer, in(wait))
			.thenApply((given) -> Thread.currentThread().getName());
		this.redis.execute(() -> answer.complete("answer"));
		return thread;
	}

	private static LongSupplier in(Duration wait) {
		long deadline = System.nanoTime() + wait.toNanos();
		return () -> deadline;
	}

}
