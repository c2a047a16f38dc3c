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

package io.github.bloomguard.gate;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link RedisGate}.
 */
class RedisGateTests {

	private static final Throwable FAILURE = new RedisUnavailableException("no answer in time", null);

	private static final Duration TIMEOUT = Duration.ofMillis(20);

	private static final int CROWD = 50;

	private final ExecutorService callers = Executors.newFixedThreadPool(CROWD);

	private final AtomicInteger asked = new AtomicInteger();

	@AfterEach
	void stop() {
		this.callers.shutdownNow();
	}

	@Test
	void eachCallerOfACrowdGetsItsOwnAnswer() {
		RedisGate gate = gate(Duration.ofMinutes(1));
		List<CompletableFuture<Integer>> questions = Stream.generate(CompletableFuture<Integer>::new)
			.limit(CROWD)
			.toList();
		List<Future<Integer>> calls = questions.stream().map((question) -> call(gate, question)).toList();
		Awaitility.await().until(() -> this.asked.get() == CROWD);
		IntStream.range(0, CROWD).forEach((i) -> questions.get(i).complete(i));
		assertThat(calls).extracting(Future::get).containsExactlyElementsOf(IntStream.range(0, CROWD).boxed().toList());
	}

	@Test
	void noCallerOfACrowdWaitsLongerThanItMay() {
		RedisGate gate = gate(Duration.ofMillis(50));
		List<Future<Integer>> calls = Stream.generate(() -> call(gate, new CompletableFuture<>()))
			.limit(CROWD)
			.toList();
		assertThat(calls).extracting(Future::get).containsOnly(-1);
	}

	private Future<Integer> call(RedisGate gate, CompletableFuture<Integer> question) {
		return this.callers.submit(() -> {
			this.asked.incrementAndGet();
			return gate.await(question, -1, gate.deadline());
		});
	}

	private static RedisGate gate(Duration timeout) {
		return new RedisGate("calls go through", timeout);
	}

	@Test
	void redisIsNotAskedAfterSeveralFailuresWithoutAnyAnswerInBetween() {
		RedisGate gate = gate(TIMEOUT);
		failUntilSilent(gate);
		assertThat(gate.ask(() -> CompletableFuture.completedFuture("asked"))).isCompletedExceptionally();
		gate.answered();
		assertThat(gate.permits()).isTrue();
	}

	@Test
	void failureWithoutAQuestionKeepsNoClassOfTheFirstCaller() {
		RedisGate gate = gate(TIMEOUT);
		failUntilSilent(gate);
		assertThat(gate.ask(() -> CompletableFuture.completedFuture("asked"))).failsWithin(TIMEOUT)
			.withThrowableThat()
			.havingCause()
			.satisfies((failure) -> assertThat(failure.getStackTrace()).isEmpty());
	}

	@Test
	void manyFailuresAtTheSameMomentAreNoOutage() {
		RedisGate gate = gate(Duration.ofMinutes(1));
		IntStream.range(0, 1000).forEach((i) -> gate.failed(FAILURE));
		assertThat(gate.permits()).isTrue();
	}

	@Test
	void answersInBetweenKeepFailuresFromBeingAnOutage() {
		RedisGate gate = gate(Duration.ofNanos(1));
		for (int i = 0; i < 1000; i++) {
			IntStream.range(0, 3).forEach((failure) -> gate.failed(FAILURE));
			assertThat(gate.permits()).isTrue();
			gate.answered();
		}
	}

	@Test
	void lateAnswerEndsASilence() throws Exception {
		RedisGate gate = gate(TIMEOUT);
		CompletableFuture<Integer> late = new CompletableFuture<>();
		CompletableFuture<Integer> lateToo = new CompletableFuture<>();
		assertThat(gate.await(late, -1, gate.deadline())).isEqualTo(-1);
		assertThat(gate.bounded(lateToo, -1, gate.deadline()).get()).isEqualTo(-1);
		failUntilSilent(gate);
		late.complete(1);
		assertThat(gate.permits()).isTrue();
		failUntilSilent(gate);
		lateToo.complete(1);
		assertThat(gate.permits()).isTrue();
	}

	@Test
	void errorThatRedisRepliesIsAnAnswer() {
		RedisGate gate = gate(Duration.ofNanos(1));
		RedisRefusedException refusal = new RedisRefusedException("NOPERM");
		IntStream.range(0, 1000).forEach((i) -> gate.failed(refusal));
		gate.unanswered(refusal);
		assertThat(gate.permits()).isTrue();
		failUntilSilent(gate);
		gate.unanswered(refusal);
		assertThat(gate.permits()).isTrue();
	}

	@Test
	void whatCanNotBeDoneWithoutIsAskedOfARedisThatIsSilentForOthers() {
		RedisGate gate = gate(TIMEOUT);
		failUntilSilent(gate);
		assertThat(gate.insist(() -> CompletableFuture.completedFuture("asked"))).isCompletedWithValue("asked");
	}

	@Test
	void whatCanNotBeDoneWithoutFailsAtOnceWhenOneHasWaitedInVain() {
		RedisGate gate = new RedisGate("calls go through", TIMEOUT, TIMEOUT.multipliedBy(5));
		CompletableFuture<String> late = new CompletableFuture<>();
		assertThat(gate.insist(() -> late)).failsWithin(Duration.ofSeconds(10))
			.withThrowableThat()
			.withRootCauseInstanceOf(TimeoutException.class);
		assertThat(gate.permits()).isFalse();
		assertThat(gate.insist(() -> CompletableFuture.completedFuture("asked"))).isCompletedExceptionally();
		late.complete("late");
		assertThat(gate.permits()).isTrue();
		assertThat(gate.insist(() -> CompletableFuture.completedFuture("asked"))).isCompletedWithValue("asked");
	}

	@Test
	void redisThatAnswersOthersIsNotSilentForThoseWhoInsist() {
		RedisGate gate = new RedisGate("calls go through", TIMEOUT, TIMEOUT.multipliedBy(50));
		CompletableFuture<String> slow = gate.insist(CompletableFuture::new);
		Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> !gate.permitsOptional());
		gate.answered();
		assertThat(slow).failsWithin(Duration.ofSeconds(10));
		assertThat(gate.permits()).isTrue();
		assertThat(gate.insist(() -> CompletableFuture.completedFuture("asked"))).isCompletedWithValue("asked");
	}

	@Test
	void whoHasWaitedInTheBackgroundNeedsNobodyElseToBeSure() {
		RedisGate gate = gate(Duration.ofMinutes(1));
		gate.unanswered(FAILURE);
		assertThat(gate.permits()).isFalse();
	}

	@Test
	void redisIsDoubtfulAfterAFailureUntilItAnswers() {
		RedisGate gate = gate(Duration.ofMinutes(1));
		gate.failed(FAILURE);
		assertThat(gate.permits()).isTrue();
		assertThat(gate.permitsOptional()).isFalse();
		gate.answered();
		assertThat(gate.permitsOptional()).isTrue();
	}

	@Test
	void listenersAreToldOnceWhenItBeginsAndOnceWhenItEnds() {
		RedisGate gate = gate(TIMEOUT);
		List<String> told = new ArrayList<>();
		gate.addListener(new RedisGate.SilenceListener() {

			@Override
			public void onSilence(Throwable cause) {
				told.add("silent");
			}

			@Override
			public void onAnswer() {
				told.add("answers");
			}

		});
		failUntilSilent(gate);
		IntStream.range(0, 100).forEach((i) -> gate.failed(FAILURE));
		IntStream.range(0, 100).forEach((i) -> gate.answered());
		assertThat(told).containsExactly("silent", "answers");
	}

	@Test
	void interruptedCallerIsNotTakenForAnOutage() {
		RedisGate gate = gate(Duration.ofMinutes(1));
		Thread.currentThread().interrupt();
		assertThat(gate.await(new CompletableFuture<>(), -1, gate.deadline())).isEqualTo(-1);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(gate.permitsOptional()).isTrue();
	}

	private static void failUntilSilent(RedisGate gate) {
		Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> {
			gate.failed(FAILURE);
			return !gate.permits();
		});
	}

}
