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

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.github.bloomguard.Membership;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.redisson.client.RedisTimeoutException;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LookupQueue}, with a sender whose replies come when the test says so.
 */
class LookupQueueTests {

	private static final Duration LONG = Duration.ofMinutes(1);

	private static final List<Object> REPLY = List.of();

	private final ManualSender sender = new ManualSender();

	@Test
	void lookupIsSentAtOnceWhileThereIsAPlace() {
		LookupQueue<Lookup> queue = new LookupQueue<>(this.sender, LONG, Duration.ZERO);
		List<Lookup> asked = ask(queue, LookupQueue.UNDER_WAY);
		assertThat(this.sender.sent).hasSize(LookupQueue.UNDER_WAY).allSatisfy((batch) -> assertThat(batch).hasSize(1));
		this.sender.replyAll();
		assertThat(asked).allSatisfy((lookup) -> assertThat(lookup.join()).isEqualTo(Membership.MAYBE));
	}

	@Test
	void nothingFollowsABatchThatHasJustLeft() {
		LookupQueue<Lookup> queue = new LookupQueue<>(this.sender, LONG, Duration.ofSeconds(10));
		List<Lookup> asked = ask(queue, 5);
		assertThat(this.sender.sent).containsExactly(asked.subList(0, 1));
		this.sender.underWay.remove().complete(REPLY);
		assertThat(this.sender.sent).containsExactly(asked.subList(0, 1), asked.subList(1, 5));
	}

	@Test
	void batchThatTakesLongIsFollowedByAnother() {
		LookupQueue<Lookup> queue = new LookupQueue<>(this.sender, LONG, Duration.ofMillis(20));
		Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> {
			ask(queue, 1);
			return this.sender.sent.size() == LookupQueue.UNDER_WAY;
		});
		List<Lookup> last = ask(queue, 3);
		assertThat(this.sender.underWay).hasSize(LookupQueue.UNDER_WAY);
		this.sender.replyAll();
		assertThat(last).allSatisfy((lookup) -> assertThat(lookup).isCompletedWithValue(Membership.MAYBE));
	}

	@Test
	void whoeverComesBackSendsAllThatAreWaiting() {
		LookupQueue<Lookup> queue = new LookupQueue<>(this.sender, LONG, Duration.ZERO);
		ask(queue, LookupQueue.UNDER_WAY);
		List<Lookup> waiting = ask(queue, 50);
		assertThat(this.sender.sent).hasSize(LookupQueue.UNDER_WAY);
		this.sender.underWay.remove().complete(REPLY);
		assertThat(this.sender.sent).hasSize(LookupQueue.UNDER_WAY + 1);
		assertThat(this.sender.sent.get(LookupQueue.UNDER_WAY)).containsExactlyElementsOf(waiting);
	}

	@Test
	void batchIsNotLargerThanTheMost() {
		LookupQueue<Lookup> queue = new LookupQueue<>(this.sender, LONG, Duration.ZERO);
		ask(queue, LookupQueue.UNDER_WAY);
		List<Lookup> waiting = ask(queue, 3 * LookupQueue.MOST + 1);
		this.sender.replyAll();
		assertThat(this.sender.sent).allSatisfy((batch) -> assertThat(batch).hasSizeBetween(1, LookupQueue.MOST));
		assertThat(waiting).allSatisfy((lookup) -> assertThat(lookup).isCompletedWithValue(Membership.MAYBE));
	}

	@Test
	void whoeverIsAnsweredAndComesBackTravelsWithTheNextBatch() {
		LookupQueue<Lookup> queue = new LookupQueue<>(this.sender, LONG, Duration.ZERO);
		List<Lookup> first = ask(queue, LookupQueue.UNDER_WAY);
		List<Lookup> next = new ArrayList<>(ask(queue, 1));
		first.get(0).whenComplete((answer, failure) -> next.addAll(ask(queue, 1)));
		this.sender.underWay.remove().complete(REPLY);
		assertThat(this.sender.sent).hasSize(LookupQueue.UNDER_WAY + 1);
		assertThat(this.sender.sent.get(LookupQueue.UNDER_WAY)).containsExactlyElementsOf(next).hasSize(2);
	}

	@Test
	void batchThatFailsFailsItsOwnLookupsOnly() {
		LookupQueue<Lookup> queue = new LookupQueue<>(this.sender, LONG, Duration.ZERO);
		List<Lookup> first = ask(queue, LookupQueue.UNDER_WAY);
		List<Lookup> waiting = ask(queue, 10);
		this.sender.underWay.remove().completeExceptionally(new IllegalStateException("cut"));
		assertThat(first.get(0)).isCompletedExceptionally();
		this.sender.replyAll();
		assertThat(waiting).allSatisfy((lookup) -> assertThat(lookup).isCompletedWithValue(Membership.MAYBE));
	}

	@Test
	void lookupsThatCanNotEvenBeSentFail() {
		LookupQueue<Lookup> queue = new LookupQueue<>(this.sender, LONG, Duration.ZERO);
		this.sender.broken = true;
		assertThat(ask(queue, 5)).allSatisfy((lookup) -> assertThat(lookup).isCompletedExceptionally());
		this.sender.broken = false;
		List<Lookup> after = ask(queue, 1);
		this.sender.replyAll();
		assertThat(after.get(0)).isCompletedWithValue(Membership.MAYBE);
	}

	@Test
	void manyThatFailInARowDoNotFillTheStack() {
		LookupQueue<Lookup> queue = new LookupQueue<>(this.sender, LONG, Duration.ZERO);
		ask(queue, LookupQueue.UNDER_WAY);
		List<Lookup> waiting = ask(queue, 20_000 * LookupQueue.MOST / 100);
		this.sender.broken = true;
		this.sender.underWay.remove().complete(REPLY);
		assertThat(waiting).allSatisfy((lookup) -> assertThat(lookup).isCompletedExceptionally());
	}

	@Test
	void batchThatIsStuckDoesNotHoldUpTheOthers() {
		LookupQueue<Lookup> queue = new LookupQueue<>(this.sender, Duration.ofMillis(400), Duration.ZERO);
		List<Lookup> stuck = ask(queue, LookupQueue.UNDER_WAY);
		Deque<CompletableFuture<List<Object>>> never = new ArrayDeque<>(this.sender.underWay);
		this.sender.underWay.clear();
		Awaitility.await().atMost(Duration.ofSeconds(5)).until(() -> {
			ask(queue, 1);
			return !this.sender.underWay.isEmpty();
		});
		List<Lookup> others = ask(queue, 10);
		this.sender.replyAll();
		assertThat(others).allSatisfy((lookup) -> assertThat(lookup).isDone());
		assertThat(stuck).noneMatch(CompletableFuture::isDone);
		never.forEach((reply) -> reply.complete(REPLY));
		assertThat(stuck).allSatisfy((lookup) -> assertThat(lookup).isCompletedWithValue(Membership.MAYBE));
		assertThat(ask(queue, LookupQueue.UNDER_WAY)).hasSize(this.sender.underWay.size());
	}

	@Test
	void lookupThatHasWaitedForTooLongFails() {
		LookupQueue<Lookup> queue = new LookupQueue<>(this.sender, Duration.ofMillis(50), Duration.ZERO);
		List<Lookup> first = ask(queue, LookupQueue.UNDER_WAY);
		Lookup late = ask(queue, 1).get(0);
		Awaitility.await().until(() -> System.nanoTime() - late.askedAt() > TimeUnit.MILLISECONDS.toNanos(50));
		this.sender.replyAll();
		assertThat(first).allSatisfy((lookup) -> assertThat(lookup).isCompletedWithValue(Membership.MAYBE));
		assertThat(late.handle((answer, failure) -> failure).join()).isInstanceOf(RedisTimeoutException.class);
	}

	@ParameterizedTest
	@ValueSource(longs = { 0, 1_000, 100_000, 10_000_000_000L })
	@Timeout(60)
	void noLookupIsForgottenWhenManyAskAtTheSameTime(long pace) {
		ConcurrentLinkedQueue<Runnable> replies = new ConcurrentLinkedQueue<>();
		AtomicInteger underWay = new AtomicInteger();
		AtomicInteger most = new AtomicInteger();
		LookupQueue<Lookup> queue = new LookupQueue<>(new ManualSender() {

			@Override
			public CompletableFuture<List<Object>> send(List<Lookup> batch) {
				CompletableFuture<List<Object>> reply = new CompletableFuture<>();
				most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
				replies.add(() -> {
					underWay.decrementAndGet();
					reply.complete(REPLY);
				});
				return reply;
			}

		}, LONG, Duration.ofNanos(pace));
		ExecutorService executor = Executors.newFixedThreadPool(10);
		try {
			List<CompletableFuture<Void>> callers = IntStream.range(0, 8)
				.mapToObj((caller) -> CompletableFuture.runAsync(() -> {
					for (int i = 0; i < 3_000; i++) {
						Lookup lookup = new Lookup(new long[0]);
						queue.add(lookup);
						if (ThreadLocalRandom.current().nextInt(4) > 0) {
							lookup.join();
						}
					}
					Lookup last = new Lookup(new long[0]);
					queue.add(last);
					last.join();
				}, executor))
				.toList();
			CompletableFuture<Void> all = CompletableFuture.allOf(callers.toArray(CompletableFuture<?>[]::new));
			IntStream.range(0, 2).forEach((replier) -> executor.execute(() -> {
				while (!all.isDone()) {
					Runnable reply = replies.poll();
					if (reply != null) {
						reply.run();
					}
					else {
						Thread.onSpinWait();
					}
				}
			}));
			all.join();
		}
		finally {
			executor.shutdownNow();
		}
		assertThat(most.get()).isLessThanOrEqualTo(LookupQueue.UNDER_WAY);
	}

	private static List<Lookup> ask(LookupQueue<Lookup> queue, int count) {
		List<Lookup> lookups = new ArrayList<>();
		for (int i = 0; i < count; i++) {
			Lookup lookup = new Lookup(new long[0]);
			queue.add(lookup);
			lookups.add(lookup);
		}
		return lookups;
	}

	private static class ManualSender implements LookupQueue.Sender<Lookup> {

		private final List<List<Lookup>> sent = new ArrayList<>();

		private final Deque<CompletableFuture<List<Object>>> underWay = new ArrayDeque<>();

		private boolean broken;

		@Override
		public CompletableFuture<List<Object>> send(List<Lookup> batch) {
			if (this.broken) {
				throw new IllegalStateException("broken");
			}
			CompletableFuture<List<Object>> reply = new CompletableFuture<>();
			this.sent.add(batch);
			this.underWay.add(reply);
			return reply;
		}

		@Override
		public void answer(List<Lookup> batch, @Nullable List<Object> reply, @Nullable Throwable failure) {
			for (Lookup lookup : batch) {
				if (failure != null) {
					lookup.completeExceptionally(failure);
				}
				else {
					lookup.complete(Membership.MAYBE);
				}
			}
		}

		void replyAll() {
			while (!this.underWay.isEmpty()) {
				this.underWay.remove().complete(REPLY);
			}
		}

	}

}
