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

package io.github.bloomguard.warmup;

import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;

import io.github.bloomguard.warmup.WarmUpProgress.Status;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link ProgressRecorder}.
 */
@ExtendWith(OutputCaptureExtension.class)
class ProgressRecorderTests {

	private final AtomicLong now = new AtomicLong();

	private final ProgressRecorder recorder = new ProgressRecorder("products", this.now::get);

	private final Instant tenSecondsAgo = Instant.now().minusSeconds(10);

	@Test
	void rateShareAndRemainingTimeAreLogged(CapturedOutput output) {
		this.recorder.running(this.tenSecondsAgo, OptionalLong.of(40_960), 1);
		load(4096);
		assertThat(output).containsPattern(
				"'products': 4\\D?096 keys in 1\\d\\D\\d s \\([34]\\d\\d keys/s\\), 10 %, about (9\\d|1\\d\\d) s left");
	}

	@Test
	void withoutATotalOnlyTheRateIsLogged(CapturedOutput output) {
		this.recorder.running(this.tenSecondsAgo, OptionalLong.empty(), 1);
		load(4096);
		assertThat(output).containsPattern("'products': 4\\D?096 keys in 1\\d\\D\\d s \\([34]\\d\\d keys/s\\)\\R");
	}

	@Test
	void totalThatWasTooLowIsNotLogged(CapturedOutput output) {
		this.recorder.running(this.tenSecondsAgo, OptionalLong.of(10), 1);
		load(4096);
		assertThat(output).contains("keys/s)").doesNotContain("%, about");
	}

	@Test
	void logIsWrittenNowAndThenOnly(CapturedOutput output) {
		this.recorder.running(this.tenSecondsAgo, OptionalLong.empty(), 1);
		load(100_000);
		assertThat(output.toString().lines().filter((line) -> line.contains("keys/s"))).hasSize(1);
	}

	@Test
	void endIsLoggedWithTheRate(CapturedOutput output) {
		this.recorder.running(this.tenSecondsAgo, OptionalLong.of(100), 1);
		load(100);
		this.recorder.done(true);
		assertThat(output).containsPattern("'products' is complete: 100 keys in 1\\d\\D\\d s \\((9|10) keys/s\\)\\R");
		assertThat(this.recorder.snapshot().duration()).isBetween(Duration.ofSeconds(10), Duration.ofSeconds(20));
	}

	@Test
	void failureIsShownUntilALaterAttemptIsComplete() {
		this.recorder.running(this.tenSecondsAgo, OptionalLong.empty(), 1);
		load(5);
		this.recorder.failed(new IllegalStateException("broken"));
		assertThat(this.recorder.snapshot()).satisfies((progress) -> {
			assertThat(progress.status()).isEqualTo(Status.FAILED);
			assertThat(progress.loaded()).isEqualTo(5);
			assertThat(progress.error()).contains("broken");
		});
		this.recorder.running(Instant.now(), OptionalLong.empty(), 1);
		assertThat(this.recorder.snapshot().error()).contains("broken");
		assertThat(this.recorder.snapshot().loaded()).isZero();
		this.recorder.done(true);
		assertThat(this.recorder.snapshot().error()).isNull();
	}

	@Test
	void anotherInstanceIsSaidToLoadOnlyWhenItHasRenewedItsLease(CapturedOutput output) {
		IntStream.range(0, 3).forEach((i) -> this.recorder.waiting());
		assertThat(this.recorder.snapshot().status()).isEqualTo(Status.WAITING);
		assertThat(
				output.toString().lines().filter((line) -> line.contains("waits: another instance began to load it")))
			.hasSize(1);
		this.now.addAndGet(GenerationBuilder.LEASE.toNanos());
		this.recorder.waiting();
		assertThat(output).doesNotContain("Another instance loads");
		this.now.incrementAndGet();
		IntStream.range(0, 3).forEach((i) -> this.recorder.waiting());
		assertThat(output.toString().lines().filter((line) -> line.contains("Another instance loads"))).hasSize(1);
		this.recorder.done(true);
		assertThat(this.recorder.snapshot().status()).isEqualTo(Status.COMPLETED);
		assertThat(output).contains("nothing was loaded here");
	}

	private void load(int keys) {
		IntStream.range(0, keys).forEach((i) -> this.recorder.loaded());
	}

}
