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
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.github.bloomguard.Loader;
import io.github.bloomguard.logging.LogFields;
import io.github.bloomguard.testsupport.LogLines;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Tests for an {@link Auditor} whose calls don't return.
 */
@Timeout(30)
class HungAuditTests {

	private static final Duration LIMIT = Duration.ofMillis(200);

	private final ExecutorService threads = Executors.newCachedThreadPool();

	private final Auditor auditor = new Auditor("products", 1, this.threads, LIMIT);

	private final CountDownLatch released = new CountDownLatch(1);

	private final AtomicInteger hanging = new AtomicInteger();

	private final AtomicInteger found = new AtomicInteger();

	private final LogLines lines = LogLines.of(Auditor.class, Level.INFO);

	@AfterEach
	void close() {
		this.lines.close();
		this.released.countDown();
		this.threads.shutdownNow();
	}

	@Test
	void callsThatBlockForEverAreInterruptedAndOthersAreMade() {
		fill(() -> {
			new CountDownLatch(1).await();
			return found();
		});
		awaitAudit();
		assertThat(this.lines.lines()).singleElement()
			.asString()
			.startsWith("WARN An audit of the filter 'products' failed: TimeoutException");
		assertThat(this.lines.events()).extracting(ILoggingEvent::getMDCPropertyMap)
			.containsOnly(Map.of(LogFields.FILTER, "products"));
	}

	@Test
	void callThatCannotBeInterruptedDoesNotEndAuditing() {
		this.auditor.audit(this::hang, this.found::incrementAndGet);
		awaitAudit();
	}

	@Test
	void answersThatNeverComeDoNotEndAuditing() {
		fill(CompletableFuture::new);
		awaitAudit();
	}

	@Test
	void callsThatHangTakeAFewThreadsOnlyAndAuditingGoesOnWhenTheyReturn() {
		fill(this::hang);
		await().untilAsserted(() -> assertThat(this.hanging).hasValue(Auditor.MAX_CALLS));
		await().during(LIMIT.multipliedBy(2)).until(() -> {
			this.auditor.audit(this::hang, this.found::incrementAndGet);
			return this.hanging.get() == Auditor.MAX_CALLS;
		});
		this.released.countDown();
		awaitAudit();
	}

	private void fill(Loader<? extends CompletionStage<Boolean>, ?> call) {
		for (int i = 0; i < Auditor.MAX_CALLS; i++) {
			this.auditor.audit(call, this.found::incrementAndGet);
		}
	}

	private void awaitAudit() {
		AtomicInteger made = new AtomicInteger();
		await().until(() -> {
			this.auditor.audit(HungAuditTests::found, made::incrementAndGet);
			return made.get() > 0;
		});
	}

	private CompletionStage<Boolean> hang() {
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

	private static CompletionStage<Boolean> found() {
		return CompletableFuture.completedStage(Boolean.TRUE);
	}

}
