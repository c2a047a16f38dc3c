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

import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for {@link KeyPipeline}.
 */
class KeyPipelineTests {

	private static final String THREADS = "key-pipeline-tests-";

	private final Queue<Object> worked = new ConcurrentLinkedQueue<>();

	@Test
	void readersOfEachPartitionedSourceAreGoneWhenThePipelineIsClosed() {
		try (KeyPipeline pipeline = pipeline()) {
			pipeline.read(List.of(keys(0), keys(1000)));
			pipeline.read(List.of(keys(2000), keys(3000), keys(4000)));
			pipeline.await();
		}
		assertThat(this.worked).hasSize(5000).doesNotHaveDuplicates();
		awaitNoThreads();
	}

	@Test
	void readersOfAnEarlierSourceAreGoneWhenALaterOneFails() {
		CountDownLatch never = new CountDownLatch(1);
		assertThatIllegalStateException().isThrownBy(() -> {
			try (KeyPipeline pipeline = pipeline()) {
				pipeline.read(List.of(keys(0), keys(1000)));
				pipeline.read(List.of(() -> Stream.of(1).peek((key) -> await(never)), () -> {
					throw new IllegalStateException("broken part");
				}));
			}
		}).withMessage("broken part");
		awaitNoThreads();
	}

	private KeyPipeline pipeline() {
		return new KeyPipeline(THREADS, (key) -> {
		}, this.worked::addAll);
	}

	private static Supplier<Stream<?>> keys(long from) {
		return () -> LongStream.range(from, from + 1000).boxed();
	}

	private static void awaitNoThreads() {
		Awaitility.await()
			.untilAsserted(() -> assertThat(Thread.getAllStackTraces().keySet()).extracting(Thread::getName)
				.noneMatch((name) -> name.startsWith(THREADS)));
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			Thread.currentThread().interrupt();
		}
	}

}
