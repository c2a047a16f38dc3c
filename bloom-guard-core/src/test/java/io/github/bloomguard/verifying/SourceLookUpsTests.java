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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

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

	private final SourceLookUps lookUps = new SourceLookUps(this.filter, this.threads, LIMIT);

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

	private void fill(Loader<CompletionStage<Optional<Boolean>>, ?> call) {
		for (int i = 0; i < SourceLookUps.MAX_CALLS; i++) {
			start(call);
		}
	}

	private CompletableFuture<Optional<Boolean>> start(Loader<CompletionStage<Optional<Boolean>>, ?> question) {
		SourceLookUps.Call<Optional<Boolean>> call = this.lookUps.call(question);
		return (call != null) ? call.outcome() : CompletableFuture.failedFuture(SourceLookUps.NOT_CALLED);
	}

	@Test
	void questionForManyKeysIsOneOfTheFew() {
		fill(this::hang);
		assertThat(this.lookUps.call(() -> CompletableFuture.completedStage(List.of(true)))).isNull();
		this.released.countDown();
		await().until(() -> this.lookUps.call(() -> CompletableFuture.completedStage(List.of(true))) != null);
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
