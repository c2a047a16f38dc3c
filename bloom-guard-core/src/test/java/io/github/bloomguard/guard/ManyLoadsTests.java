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
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.bloomguard.backend.memory.MemoryBackend;
import io.github.bloomguard.warmup.WarmUpProgress;
import io.github.bloomguard.warmup.WarmUpProgress.Status;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for an application with many filters that all have to be loaded.
 */
class ManyLoadsTests {

	private static final int FILTERS = 60;

	private final CountDownLatch gate = new CountDownLatch(1);

	private final AtomicInteger reading = new AtomicInteger();

	private final AtomicInteger mostReading = new AtomicInteger();

	@Test
	void aFewFiltersAreLoadedAtATimeAndTheOthersTellTheirPlace() {
		long before = threads();
		try (RunningBloomGuard running = start(Duration.ZERO)) {
			Awaitility.await().until(() -> count(running, Status.WAITING) == FILTERS - 2 && this.reading.get() == 2);
			assertThat(positions(running))
				.containsExactlyElementsOf(IntStream.rangeClosed(1, FILTERS - 2).boxed().toList());
			assertThat(threads() - before).isLessThanOrEqualTo(20);
			IntStream.range(0, 3).forEach((i) -> running.guard().mightContain("f50", i));
			assertThat(progress(running, "f50").position()).isOne();
			this.gate.countDown();
			running.loaded().join();
			assertThat(this.mostReading).hasValue(2);
			assertThat(positions(running)).isEmpty();
		}
	}

	@Test
	void filtersThatHaveNoKeyAtFirstDoNotHoldUpOthers() {
		this.gate.countDown();
		try (RunningBloomGuard running = start(Duration.ofMinutes(1))) {
			Awaitility.await()
				.until(() -> running.filters()
					.stream()
					.filter((filter) -> filter.filter().active() != null)
					.count() == FILTERS / 2);
		}
	}

	@Test
	void applicationClosesAtOnceAlthoughManyFiltersWait() {
		RunningBloomGuard running = start(Duration.ZERO);
		Awaitility.await().until(() -> count(running, Status.WAITING) == FILTERS - 2 && this.reading.get() == 2);
		long begun = System.nanoTime();
		running.close();
		assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(10));
	}

	/**
	 * Start an application whose filters with an odd number have no key, unless that is
	 * believed at once.
	 */
	private RunningBloomGuard start(Duration recheckEmpty) {
		BloomGuardBuilder builder = new BloomGuardBuilder(new MemoryBackend());
		IntStream.range(0, FILTERS)
			.forEach((i) -> builder.filter("f" + i, 10)
				.keys(() -> read(recheckEmpty.isZero() || i % 2 == 0))
				.recheckEmpty(recheckEmpty)
				.settle(Duration.ZERO)
				.longestTransaction(Duration.ofMillis(1)));
		return builder.start();
	}

	private Stream<?> read(boolean any) {
		this.mostReading.accumulateAndGet(this.reading.incrementAndGet(), Math::max);
		try {
			this.gate.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
		finally {
			this.reading.decrementAndGet();
		}
		return any ? Stream.of(1) : Stream.of();
	}

	private static long count(RunningBloomGuard running, Status status) {
		return running.filters().stream().filter((filter) -> filter.warmUp().progress().status() == status).count();
	}

	private static WarmUpProgress progress(RunningBloomGuard running, String filter) {
		return Objects.requireNonNull(running.filters().find(filter)).warmUp().progress();
	}

	private static List<Integer> positions(RunningBloomGuard running) {
		return running.filters()
			.stream()
			.map((filter) -> filter.warmUp().progress().position())
			.filter(Objects::nonNull)
			.sorted()
			.toList();
	}

	private static long threads() {
		return Thread.getAllStackTraces()
			.keySet()
			.stream()
			.filter((thread) -> thread.getName().startsWith("bloom-guard"))
			.count();
	}

}
