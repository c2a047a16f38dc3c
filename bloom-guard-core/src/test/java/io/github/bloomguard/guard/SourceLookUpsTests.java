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

package io.github.bloomguard.guard;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.github.bloomguard.Loader;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.logging.LogFields;
import io.github.bloomguard.testsupport.LogLines;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for {@link SourceLookUps}.
 */
@Timeout(30)
class SourceLookUpsTests {

	private static final Duration LIMIT = Duration.ofMillis(200);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	/**
	 * Another one for each test: what was given up in one may be logged during the next.
	 */
	private final String filter = "products-" + Generation.randomHex(4);

	private final SourceLookUps lookUps = new SourceLookUps(this.filter, 0, this.threads, LIMIT);

	private final AtomicInteger keys = new AtomicInteger();

	private final CountDownLatch released = new CountDownLatch(1);

	private final AtomicInteger hanging = new AtomicInteger();

	private final LogLines lines = LogLines.of(SourceLookUps.class, Level.INFO);

	@AfterEach
	void close() {
		this.lines.close();
		this.released.countDown();
		this.threads.shutdownNow();
	}

	@Test
	void lookUpsThatBlockForEverAreInterruptedAndOthersAreMade() {
		fill(() -> {
			new CountDownLatch(1).await();
			return found();
		});
		awaitLookUp();
		await().until(() -> !ofThisTest().isEmpty());
		assertThat(ofThisTest()).singleElement().satisfies((event) -> {
			assertThat(event.getLevel()).isEqualTo(Level.WARN);
			assertThat(event.getFormattedMessage())
				.startsWith("A key of the filter '" + this.filter + "' could not be looked up: TimeoutException");
			assertThat(event.getMDCPropertyMap()).isEqualTo(Map.of(LogFields.FILTER, this.filter));
		});
	}

	private List<ILoggingEvent> ofThisTest() {
		return this.lines.events()
			.stream()
			.filter((event) -> event.getFormattedMessage().contains(this.filter))
			.toList();
	}

	@Test
	void lookUpThatCannotBeInterruptedIsNotTheLast() {
		start(this::hang);
		awaitLookUp();
	}

	@Test
	void answersThatNeverComeAreNotTheLast() {
		fill(CompletableFuture::new);
		awaitLookUp();
	}

	@Test
	void lookUpsThatHangTakeAFewThreadsOnlyAndOthersFollowWhenTheyReturn() {
		fill(this::hang);
		await().untilAsserted(() -> assertThat(this.hanging).hasValue(SourceLookUps.MAX_CALLS));
		await().during(LIMIT.multipliedBy(2)).until(() -> {
			start(this::hang);
			return this.hanging.get() == SourceLookUps.MAX_CALLS;
		});
		this.released.countDown();
		awaitLookUp();
	}

	@Test
	void lookUpsThatHungForAMinuteEachTakeTheRateForSecondsOnly() {
		long begun = 1000;
		AtomicLong now = new AtomicLong(begun);
		SourceLookUps limited = new SourceLookUps("products", 10, Runnable::run, Duration.ofMinutes(5), now::get);
		List<CompletableFuture<Optional<Boolean>>> hung = Stream.generate(CompletableFuture<Optional<Boolean>>::new)
			.limit(SourceLookUps.MAX_CALLS)
			.toList();
		for (int i = 0; i < hung.size(); i++) {
			CompletableFuture<Optional<Boolean>> answer = hung.get(i);
			assertThat(limited.take(now.get())).isTrue();
			start(limited, "key " + i, () -> answer);
		}
		now.addAndGet(Duration.ofMinutes(1).toNanos());
		hung.forEach((answer) -> answer.complete(Optional.of(false)));
		assertThat(limited.take(now.get())).as("slow look-ups keep few connections busy").isFalse();
		assertThat(limited.take(now.get() + SourceLookUps.LONGEST_DEBT.dividedBy(2).toNanos())).isFalse();
		assertThat(limited.take(now.get() + SourceLookUps.LONGEST_DEBT.plusMillis(100).toNanos())).isTrue();
	}

	private void fill(Loader<CompletionStage<Optional<Boolean>>, ?> call) {
		for (int i = 0; i < SourceLookUps.MAX_CALLS; i++) {
			start(call);
		}
	}

	private CompletableFuture<Optional<Boolean>> start(Loader<CompletionStage<Optional<Boolean>>, ?> lookUp) {
		return start(this.lookUps, "key " + this.keys.incrementAndGet(), lookUp).found();
	}

	private static SourceLookUps.LookUp start(SourceLookUps lookUps, String key,
			Loader<CompletionStage<Optional<Boolean>>, ?> lookUp) {
		return lookUps.start(key, lookUp, (found) -> CompletableFuture.completedStage(null));
	}

	@Test
	void keyIsLookedUpOnceAtATimeAndWhatIsFoundIsShared() {
		SourceLookUps.LookUp first = start(this.lookUps, "7", this::hang);
		SourceLookUps.LookUp second = start(this.lookUps, "7", SourceLookUpsTests::found);
		assertThat(first.shared()).isFalse();
		assertThat(second.shared()).isTrue();
		assertThat(second.found()).isNotDone();
		assertThat(start(this.lookUps, "8", SourceLookUpsTests::found).found()).succeedsWithin(LIMIT.multipliedBy(50))
			.isEqualTo(Optional.of(true));
		this.released.countDown();
		await().until(() -> first.found().isDone() && second.found().isDone());
		await().until(() -> !start(this.lookUps, "7", SourceLookUpsTests::found).shared());
	}

	@Test
	void whatWasFoundIsSharedUntilItsConsequenceHasEnded() {
		CompletableFuture<Void> consequence = new CompletableFuture<>();
		CompletableFuture<Optional<Boolean>> first = this.lookUps
			.start("7", SourceLookUpsTests::found, (found) -> consequence)
			.found();
		await().until(first::isDone);
		SourceLookUps.LookUp second = start(this.lookUps, "7", SourceLookUpsTests::found);
		assertThat(second.shared()).isTrue();
		assertThat(second.found()).isCompletedWithValue(Optional.of(true));
		consequence.completeExceptionally(new IllegalStateException());
		await().until(() -> !start(this.lookUps, "7", SourceLookUpsTests::found).shared());
	}

	@Test
	void keyThatIsNotLookedUpIsNotShared() {
		fill(this::hang);
		SourceLookUps.LookUp first = start(this.lookUps, "7", SourceLookUpsTests::found);
		assertThat(first.found()).isCompletedExceptionally();
		assertThat(start(this.lookUps, "7", SourceLookUpsTests::found).shared()).isFalse();
	}

	@Test
	void soManyASecondAreMadeAndNoneIsSavedForLater() {
		SourceLookUps limited = new SourceLookUps("products", 10, this.threads, LIMIT);
		assertThat(taken(limited, 0)).isEqualTo(10);
		assertThat(taken(limited, 0)).isZero();
		assertThat(taken(limited, 500)).isEqualTo(5);
		assertThat(taken(limited, 1500)).isEqualTo(10);
		assertThat(taken(limited, 60_000)).isEqualTo(10);
	}

	@Test
	void oneInTwoSecondsIsARateToo() {
		SourceLookUps limited = new SourceLookUps("products", 0.5, this.threads, LIMIT);
		assertThat(taken(limited, 0)).isOne();
		assertThat(taken(limited, 1000)).isZero();
		assertThat(taken(limited, 2000)).isOne();
		assertThat(taken(new SourceLookUps("products", 0, this.threads, LIMIT), 0)).isZero();
	}

	@Test
	void slowLookUpTakesThePlaceOfOthers() {
		SourceLookUps limited = new SourceLookUps("products", 1000, this.threads, LIMIT);
		assertThat(limited.take(0)).isTrue();
		CompletableFuture<Optional<Boolean>> slow = start(limited, "7", this::hang).found();
		await().pollDelay(LIMIT.dividedBy(2)).until(() -> this.hanging.get() == 1);
		this.released.countDown();
		await().until(slow::isDone);
		await().untilAsserted(() -> assertThat(taken(limited, 0)).isBetween(1, 950));
	}

	@Test
	void lookUpThatTakesLongerThanItMayCostsNoMoreThanThat() {
		Duration limit = Duration.ofMillis(1);
		// it hangs before its time begins, else it may be given up before a thread has it
		SourceLookUps limited = new SourceLookUps("products", 1000, (task) -> {
			this.threads.execute(task);
			await().until(() -> this.hanging.get() == 1);
		}, limit);
		assertThat(taken(limited, 0)).isEqualTo(1000);
		SourceLookUps.LookUp slow = start(limited, "7", this::hang);
		await().pollDelay(LIMIT).until(slow.found()::isDone);
		this.released.countDown();
		await().until(slow.ended()::isDone);
		assertThat(taken(limited, LIMIT.toMillis() / 2)).isPositive();
	}

	@Test
	void timeThatIsReadLateGivesNothingTwice() {
		SourceLookUps limited = new SourceLookUps("products", 10, this.threads, LIMIT);
		assertThat(taken(limited, 0)).isEqualTo(10);
		assertThat(taken(limited, 500)).isEqualTo(5);
		assertThat(taken(limited, 0)).isZero();
		assertThat(taken(limited, 500)).isZero();
	}

	/**
	 * Else two first answers at the same time are not both verified.
	 */
	@Test
	void firstOnesAreMadeWhereTwoThreadsBeginAtTheSameTime() throws InterruptedException {
		int together = 2;
		for (int i = 0; i < 2_000; i++) {
			SourceLookUps fresh = new SourceLookUps("products", together, this.threads, LIMIT);
			AtomicInteger waiting = new AtomicInteger(together);
			Callable<Boolean> first = () -> {
				waiting.decrementAndGet();
				while (waiting.get() > 0) {
					Thread.onSpinWait();
				}
				return fresh.take(1);
			};
			assertThat(this.threads.invokeAll(Collections.nCopies(together, first)))
				.allSatisfy((taken) -> assertThat(taken.get()).isTrue());
		}
	}

	private static int taken(SourceLookUps lookUps, long millis) {
		int taken = 0;
		while (lookUps.take(TimeUnit.MILLISECONDS.toNanos(millis))) {
			taken++;
		}
		return taken;
	}

	private void awaitLookUp() {
		AtomicInteger made = new AtomicInteger();
		await().until(() -> {
			start(SourceLookUpsTests::found).thenRun(made::incrementAndGet);
			return made.get() > 0;
		});
	}

	private CompletionStage<Optional<Boolean>> hang() {
		this.hanging.incrementAndGet();
		boolean waiting = true;
		while (waiting) {
			try {
				this.released.await();
				waiting = false;
			}
			catch (InterruptedException ex) {
				// as a driver that reads from a socket
			}
		}
		return found();
	}

	private static CompletionStage<Optional<Boolean>> found() {
		return CompletableFuture.completedStage(Optional.of(true));
	}

}
