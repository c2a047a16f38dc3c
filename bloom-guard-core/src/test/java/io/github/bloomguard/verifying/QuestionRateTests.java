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

import java.util.Collections;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link QuestionRate}.
 */
class QuestionRateTests {

	@Test
	void soManyASecondAreTakenAndNoneIsSavedForLater() {
		QuestionRate rate = new QuestionRate(10);
		assertThat(taken(rate, 0)).isEqualTo(10);
		assertThat(taken(rate, 0)).isZero();
		assertThat(taken(rate, 500)).isEqualTo(5);
		assertThat(taken(rate, 1500)).isEqualTo(10);
		assertThat(taken(rate, 60_000)).isEqualTo(10);
	}

	@Test
	void oneInTwoSecondsIsARateToo() {
		QuestionRate rate = new QuestionRate(0.5);
		assertThat(taken(rate, 0)).isOne();
		assertThat(taken(rate, 1000)).isZero();
		assertThat(taken(rate, 2000)).isOne();
		assertThat(taken(new QuestionRate(0), 0)).isZero();
		assertThat(new QuestionRate(0).isSpent(0)).isTrue();
	}

	@Test
	void timeThatIsReadLateGivesNothingTwice() {
		QuestionRate rate = new QuestionRate(10);
		assertThat(taken(rate, 0)).isEqualTo(10);
		assertThat(taken(rate, 500)).isEqualTo(5);
		assertThat(taken(rate, 0)).isZero();
		assertThat(taken(rate, 500)).isZero();
	}

	@Test
	void questionThatTakesLongerThanItsShareCostsItsTime() {
		QuestionRate rate = new QuestionRate(5);
		assertThat(taken(rate, 0)).isEqualTo(5);
		rate.charge(TimeUnit.MILLISECONDS.toNanos(100), TimeUnit.MILLISECONDS.toNanos(100));
		assertThat(taken(rate, 1000)).as("within its share").isEqualTo(5);
		rate.charge(TimeUnit.MILLISECONDS.toNanos(2000), TimeUnit.MILLISECONDS.toNanos(1000));
		assertThat(taken(rate, 2000)).as("of the five, four are charged").isOne();
		assertThat(QuestionRate.slowed(5, 0)).isEqualTo(5);
		assertThat(QuestionRate.slowed(5, TimeUnit.MILLISECONDS.toNanos(500))).isEqualTo(2);
	}

	/**
	 * Else two first answers at the same time are not both verified.
	 */
	@Test
	void firstOnesAreTakenWhereTwoThreadsBeginAtTheSameTime() throws InterruptedException {
		int together = 2;
		ExecutorService threads = Executors.newFixedThreadPool(together);
		try {
			for (int i = 0; i < 2_000; i++) {
				QuestionRate rate = new QuestionRate(together);
				AtomicInteger waiting = new AtomicInteger(together);
				Callable<Boolean> first = () -> {
					waiting.decrementAndGet();
					while (waiting.get() > 0) {
						Thread.onSpinWait();
					}
					return rate.take(1);
				};
				assertThat(threads.invokeAll(Collections.nCopies(together, first)))
					.allSatisfy((taken) -> assertThat(taken.get()).isTrue());
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	private static int taken(QuestionRate rate, long millis) {
		int taken = 0;
		while (rate.take(TimeUnit.MILLISECONDS.toNanos(millis))) {
			taken++;
		}
		return taken;
	}

}
