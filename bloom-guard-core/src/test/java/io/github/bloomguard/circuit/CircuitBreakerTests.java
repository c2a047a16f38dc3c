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

import ch.qos.logback.classic.Level;
import io.github.bloomguard.testsupport.LogLines;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link CircuitBreaker}.
 */
class CircuitBreakerTests {

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
		CircuitBreaker breaker = breaker(Duration.ofMinutes(1));
		List<CompletableFuture<Integer>> questions = Stream.generate(CompletableFuture<Integer>::new)
			.limit(CROWD)
			.toList();
		List<Future<Integer>> calls = questions.stream().map((question) -> call(breaker, question)).toList();
		Awaitility.await().until(() -> this.asked.get() == CROWD);
		IntStream.range(0, CROWD).forEach((i) -> questions.get(i).complete(i));
		assertThat(calls).extracting(Future::get).containsExactlyElementsOf(IntStream.range(0, CROWD).boxed().toList());
	}

	@Test
	void noCallerOfACrowdWaitsLongerThanItMay() {
		CircuitBreaker breaker = breaker(Duration.ofMillis(50));
		List<Future<Integer>> calls = Stream.generate(() -> call(breaker, new CompletableFuture<>()))
			.limit(CROWD)
			.toList();
		assertThat(calls).extracting(Future::get).containsOnly(-1);
	}

	private Future<Integer> call(CircuitBreaker breaker, CompletableFuture<Integer> question) {
		return this.callers.submit(() -> {
			this.asked.incrementAndGet();
			return breaker.await(question, -1, breaker.deadline());
		});
	}

	private static CircuitBreaker breaker(Duration timeout) {
		return CircuitBreaker.ofFilters(timeout, timeout);
	}

	@Test
	void redisIsNotAskedAfterSeveralFailuresWithoutAnyAnswerInBetween() {
		CircuitBreaker breaker = breaker(TIMEOUT);
		failUntilSilent(breaker);
		assertThat(breaker.ask(() -> CompletableFuture.completedFuture("asked"))).isCompletedExceptionally();
		breaker.answered();
		assertThat(breaker.permits()).isTrue();
	}

	@Test
	void failureWithoutAQuestionKeepsNoClassOfTheFirstCaller() {
		CircuitBreaker breaker = breaker(TIMEOUT);
		failUntilSilent(breaker);
		assertThat(breaker.ask(() -> CompletableFuture.completedFuture("asked"))).failsWithin(TIMEOUT)
			.withThrowableThat()
			.havingCause()
			.satisfies((failure) -> assertThat(failure.getStackTrace()).isEmpty());
	}

	@Test
	void clientThatIsClosedIsNoOutageToLog() {
		CircuitBreaker breaker = breaker(TIMEOUT);
		try (LogLines lines = LogLines.of(CircuitBreaker.class, Level.INFO)) {
			breaker.silence();
			breaker.open(FAILURE);
			assertThat(breaker.permits()).isFalse();
			assertThat(lines.lines()).isEmpty();
		}
	}

	@Test
	void manyFailuresAtTheSameMomentAreNoOutage() {
		CircuitBreaker breaker = breaker(Duration.ofMinutes(1));
		IntStream.range(0, 1000).forEach((i) -> breaker.failed(FAILURE));
		assertThat(breaker.permits()).isTrue();
	}

	@Test
	void answersInBetweenKeepFailuresFromBeingAnOutage() {
		CircuitBreaker breaker = breaker(Duration.ofNanos(1));
		for (int i = 0; i < 1000; i++) {
			IntStream.range(0, 3).forEach((failure) -> breaker.failed(FAILURE));
			assertThat(breaker.permits()).isTrue();
			breaker.answered();
		}
	}

	@Test
	void lateAnswerEndsASilence() throws Exception {
		CircuitBreaker breaker = breaker(TIMEOUT);
		CompletableFuture<Integer> late = new CompletableFuture<>();
		CompletableFuture<Integer> lateToo = new CompletableFuture<>();
		assertThat(breaker.await(late, -1, breaker.deadline())).isEqualTo(-1);
		assertThat(breaker.bounded(lateToo, breaker.deadline()).exceptionally((failure) -> -1).get()).isEqualTo(-1);
		failUntilSilent(breaker);
		late.complete(1);
		assertThat(breaker.permits()).isTrue();
		failUntilSilent(breaker);
		lateToo.complete(1);
		assertThat(breaker.permits()).isTrue();
	}

	@Test
	void errorThatRedisRepliesIsAnAnswer() {
		CircuitBreaker breaker = breaker(Duration.ofNanos(1));
		RedisRefusedException refusal = new RedisRefusedException("NOPERM");
		IntStream.range(0, 1000).forEach((i) -> breaker.failed(refusal));
		breaker.open(refusal);
		assertThat(breaker.permits()).isTrue();
		failUntilSilent(breaker);
		breaker.open(refusal);
		assertThat(breaker.permits()).isTrue();
	}

	@Test
	void whatCanNotBeDoneWithoutIsAskedOfARedisThatIsSilentForOthers() {
		CircuitBreaker breaker = breaker(TIMEOUT);
		failUntilSilent(breaker);
		assertThat(breaker.insist(() -> CompletableFuture.completedFuture("asked"))).isCompletedWithValue("asked");
	}

	@Test
	void whatCanNotBeDoneWithoutFailsAtOnceWhenOneHasWaitedInVain() {
		CircuitBreaker breaker = CircuitBreaker.ofFilters(TIMEOUT, TIMEOUT.multipliedBy(5));
		CompletableFuture<String> late = new CompletableFuture<>();
		assertThat(breaker.insist(() -> late)).failsWithin(Duration.ofSeconds(10))
			.withThrowableThat()
			.withRootCauseInstanceOf(TimeoutException.class);
		assertThat(breaker.permits()).isFalse();
		assertThat(breaker.insist(() -> CompletableFuture.completedFuture("asked"))).isCompletedExceptionally();
		late.complete("late");
		assertThat(breaker.permits()).isTrue();
		assertThat(breaker.insist(() -> CompletableFuture.completedFuture("asked"))).isCompletedWithValue("asked");
	}

	@Test
	void redisThatAnswersOthersIsNotSilentForThoseWhoInsist() {
		CircuitBreaker breaker = CircuitBreaker.ofFilters(TIMEOUT, TIMEOUT.multipliedBy(50));
		CompletableFuture<String> slow = breaker.insist(CompletableFuture::new);
		Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> !breaker.permitsOptional());
		breaker.answered();
		assertThat(slow).failsWithin(Duration.ofSeconds(10));
		assertThat(breaker.permits()).isTrue();
		assertThat(breaker.insist(() -> CompletableFuture.completedFuture("asked"))).isCompletedWithValue("asked");
	}

	@Test
	void whoHasWaitedInTheBackgroundNeedsNobodyElseToBeSure() {
		CircuitBreaker breaker = breaker(Duration.ofMinutes(1));
		breaker.open(FAILURE);
		assertThat(breaker.permits()).isFalse();
	}

	@Test
	void redisIsDoubtfulAfterAFailureUntilItAnswers() {
		CircuitBreaker breaker = breaker(Duration.ofMinutes(1));
		breaker.failed(FAILURE);
		assertThat(breaker.permits()).isTrue();
		assertThat(breaker.permitsOptional()).isFalse();
		breaker.answered();
		assertThat(breaker.permitsOptional()).isTrue();
	}

	@Test
	void listenersAreToldOnceWheneverItBegins() {
		CircuitBreaker breaker = breaker(TIMEOUT);
		List<Throwable> told = new ArrayList<>();
		breaker.addListener(told::add);
		failUntilSilent(breaker);
		IntStream.range(0, 100).forEach((i) -> breaker.failed(FAILURE));
		IntStream.range(0, 100).forEach((i) -> breaker.answered());
		assertThat(told).containsExactly(FAILURE);
		failUntilSilent(breaker);
		assertThat(told).containsExactly(FAILURE, FAILURE);
	}

	@Test
	void interruptedCallerIsNotTakenForAnOutage() {
		CircuitBreaker breaker = breaker(Duration.ofMinutes(1));
		Thread.currentThread().interrupt();
		assertThat(breaker.await(new CompletableFuture<>(), -1, breaker.deadline())).isEqualTo(-1);
		assertThat(Thread.interrupted()).isTrue();
		assertThat(breaker.permitsOptional()).isTrue();
	}

	private static void failUntilSilent(CircuitBreaker breaker) {
		Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> {
			breaker.failed(FAILURE);
			return !breaker.permits();
		});
	}

}
