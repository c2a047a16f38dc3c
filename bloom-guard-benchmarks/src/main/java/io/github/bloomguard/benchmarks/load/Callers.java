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

package io.github.bloomguard.benchmarks.load;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Threads that all begin at the same moment.
 */
final class Callers {

	private Callers() {
	}

	/**
	 * Start the threads and wait for all of them.
	 * @param count the number of threads
	 * @param calls what each of them does
	 * @param keys the number of keys, see {@link Recording}
	 * @return what they saw
	 */
	static Recording run(int count, Consumer<Recorder> calls, int keys) {
		CountDownLatch ready = new CountDownLatch(count);
		CountDownLatch go = new CountDownLatch(1);
		List<Recorder> recorders = Stream.generate(Recorder::new).limit(count).toList();
		List<Thread> threads = recorders.stream().map((recorder) -> new Thread(() -> recorder.run(() -> {
			ready.countDown();
			await(go);
			calls.accept(recorder);
		}), "caller")).toList();
		threads.forEach(Thread::start);
		await(ready);
		long start = System.nanoTime();
		go.countDown();
		threads.forEach(Callers::join);
		return Recording.of(recorders, System.nanoTime() - start, keys);
	}

	private static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static void join(Thread thread) {
		try {
			thread.join();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

}
