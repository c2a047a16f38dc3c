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

package io.github.bloomguard.autoconfigure;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link DatabaseCheck}.
 */
class DatabaseCheckTests {

	private final CountDownLatch answered = new CountDownLatch(1);

	@Test
	void whatIsInvalidIsRefusedBesideAQuestionThatFailsOrHangs() {
		assertThatExceptionOfType(InvalidGuardException.class)
			.isThrownBy(() -> check(this::fail, this::hang, this::refuse))
			.withMessageContaining("the table is misspelt");
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> check(this::fail, this::refuse));
	}

	@Test
	void databaseThatFailsOrHangsStopsNoStart() {
		assertThatNoException().isThrownBy(() -> check(this::fail, this::hang));
	}

	private void check(Runnable... questions) {
		try {
			new DatabaseCheck(Duration.ofMillis(500), (task) -> new Thread(task).start(), () -> Stream.of(questions))
				.afterSingletonsInstantiated();
		}
		finally {
			this.answered.countDown();
		}
	}

	private void fail() {
		throw new IllegalStateException("no connection");
	}

	private void refuse() {
		throw new InvalidGuardException("the table is misspelt", "Write it right");
	}

	private void hang() {
		try {
			this.answered.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
