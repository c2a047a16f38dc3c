package io.github.bloomguard.guard;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link Answers} to a crowd of callers, some of whom give way.
 */
class AnswersTests {

	private static final int CROWD = 50;

	private final ExecutorService callers = Executors.newFixedThreadPool(CROWD);

	private final AtomicInteger asked = new AtomicInteger();

	@AfterEach
	void stop() {
		this.callers.shutdownNow();
	}

	@Test
	void eachCallerOfACrowdGetsItsOwnAnswer() {
		Answers answers = answers(Duration.ofMinutes(1));
		List<CompletableFuture<Integer>> questions = Stream.generate(CompletableFuture<Integer>::new)
			.limit(CROWD)
			.toList();
		List<Future<Integer>> calls = questions.stream().map((question) -> call(answers, question)).toList();
		Awaitility.await().until(() -> this.asked.get() == CROWD);
		IntStream.range(0, CROWD).forEach((i) -> questions.get(i).complete(i));
		assertThat(calls).extracting(Future::get).containsExactlyElementsOf(IntStream.range(0, CROWD).boxed().toList());
	}

	@Test
	void noCallerOfACrowdWaitsLongerThanItMay() {
		Answers answers = answers(Duration.ofMillis(50));
		List<Future<Integer>> calls = Stream.generate(() -> call(answers, new CompletableFuture<>()))
			.limit(CROWD)
			.toList();
		assertThat(calls).extracting(Future::get).containsOnly(-1);
	}

	private Future<Integer> call(Answers answers, CompletableFuture<Integer> question) {
		return this.callers.submit(() -> {
			this.asked.incrementAndGet();
			return answers.await(question, -1, answers.deadline());
		});
	}

	private static Answers answers(Duration timeout) {
		return new Answers(new Circuit(true), timeout, (failure) -> {
		});
	}

}
