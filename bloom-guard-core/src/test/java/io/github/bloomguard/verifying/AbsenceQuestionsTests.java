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

package io.github.bloomguard.verifying;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

import io.github.bloomguard.guard.SteppedClock;
import io.github.bloomguard.source.SourceAnswers;
import io.github.bloomguard.verifying.AbsenceQuestions.Asked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.mockito.ArgumentMatchers.anyList;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link AbsenceQuestions}.
 */
@Timeout(30)
class AbsenceQuestionsTests {

	private final SteppedClock clock = new SteppedClock();

	private final SourceAnswers sources = mock();

	private final List<List<Object>> asked = new ArrayList<>();

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final AbsenceQuestions questions = new AbsenceQuestions(this.sources,
			new SourceLookUps("products", Runnable::run, Duration.ofSeconds(20)), this.clock, Runnable::run);

	@AfterEach
	void close() {
		this.threads.shutdownNow();
	}

	@Test
	void keysThatComeSoonAfterAQuestionAreAskedAboutByTheNext() {
		answer((key) -> Optional.of(key.equals(2L)));
		assertThat(ask(1L).found()).isCompletedWithValue(Optional.of(false));
		List<Asked> soon = List.of(ask(2L), ask(3L));
		assertThat(soon).noneMatch((asked) -> asked.found().isDone());
		pass(Duration.ofMillis(20));
		assertThat(soon).extracting((asked) -> asked.found().join())
			.containsExactly(Optional.of(true), Optional.of(false));
		assertThat(this.asked).containsExactly(List.of(1L), List.of(2L, 3L));
	}

	@Test
	void allThatAskForAKeyBeforeItsQuestionShareItAndOneRemembers() {
		answer((key) -> Optional.of(false));
		ask(1L);
		Asked first = ask(2L);
		Asked second = ask(2L);
		assertThat(second).isSameAs(first);
		assertThat(List.of(first.claim(), second.claim())).containsExactly(true, false);
		pass(Duration.ofMillis(20));
		assertThat(this.asked).containsExactly(List.of(1L), List.of(2L));
	}

	@Test
	void questionThatIsUnderWayIsNotSharedBecauseTheRowMayHaveComeSinceItBegan() throws Exception {
		CountDownLatch begun = new CountDownLatch(1);
		CountDownLatch released = new CountDownLatch(1);
		AbsenceQuestions background = inBackground(Duration.ofSeconds(20));
		answer((key) -> {
			boolean second = begun.getCount() == 0;
			begun.countDown();
			return Optional.of(!awaited(released) || second);
		});
		Asked first = background.ask("1", 1L);
		begun.await();
		Asked second = background.ask("1", 1L);
		assertThat(second).isNotSameAs(first);
		released.countDown();
		await().until(first.found()::isDone);
		await().until(() -> {
			pass(Duration.ofMillis(20));
			return second.found().isDone();
		});
		assertThat(List.of(first.found().join(), second.found().join())).containsExactly(Optional.of(false),
				Optional.of(true));
	}

	@Test
	void questionThatHangsDoesNotKeepTheNextFromBeingAsked() {
		AbsenceQuestions background = inBackground(Duration.ofMillis(50));
		answer((key) -> key.equals(1L) ? Optional.of(!awaited(new CountDownLatch(1))) : Optional.of(false));
		Asked hanging = background.ask("1", 1L);
		await().until(() -> hanging.found().isCompletedExceptionally());
		Asked next = background.ask("2", 2L);
		await().until(() -> {
			pass(Duration.ofMillis(20));
			return next.found().isDone();
		});
		assertThat(next.found()).isCompletedWithValue(Optional.of(false));
	}

	@Test
	void failedQuestionTellsNothingOfItsKeysAndOfNoOthers() {
		answer((key) -> {
			throw new IllegalStateException("The database does not answer");
		});
		assertThat(ask(1L).found()).isCompletedExceptionally();
		answer((key) -> Optional.of(false));
		Asked again = ask(1L);
		pass(Duration.ofMillis(20));
		assertThat(again.found()).isCompletedWithValue(Optional.of(false));
	}

	@Test
	void keysBeyondThoseThatAreAskedAboutTogetherAreNotAskedAbout() {
		answer((key) -> Optional.of(false));
		ask(-1L);
		for (long key = 0; key < VerifiedKeys.TOGETHER; key++) {
			ask(key);
		}
		assertThat(ask(-2L).found()).isCompletedExceptionally();
		pass(Duration.ofMillis(20));
		Asked later = ask(-2L);
		pass(Duration.ofMillis(20));
		assertThat(later.found()).isCompletedWithValue(Optional.of(false));
	}

	private AbsenceQuestions inBackground(Duration limit) {
		return new AbsenceQuestions(this.sources, new SourceLookUps("products", this.threads, limit), this.clock,
				this.threads);
	}

	private Asked ask(Long key) {
		return this.questions.ask(key.toString(), key);
	}

	private void answer(Function<Object, Optional<Boolean>> answer) {
		given(this.sources.containsEach(anyList())).willAnswer((call) -> {
			List<Object> keys = List.copyOf(call.<List<Object>>getArgument(0));
			this.asked.add(keys);
			return keys.stream().map(answer).toList();
		});
	}

	private static boolean awaited(CountDownLatch latch) {
		try {
			latch.await();
			return true;
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private void pass(Duration time) {
		this.clock.pass(time);
		this.clock.ring();
	}

}
