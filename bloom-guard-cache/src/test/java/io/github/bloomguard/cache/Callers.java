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

package io.github.bloomguard.cache;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * Threads that call at the same time.
 */
final class Callers {

	private Callers() {
	}

	/**
	 * Call all at once and wait for all.
	 * @return what they have returned or thrown, in their order
	 */
	static List<Object> callAtOnce(List<Callable<?>> callables) {
		ExecutorService threads = Executors.newFixedThreadPool(callables.size());
		try {
			CountDownLatch ready = new CountDownLatch(callables.size());
			List<Future<?>> futures = new ArrayList<>();
			for (Callable<?> callable : callables) {
				futures.add(threads.submit(() -> {
					ready.countDown();
					ready.await();
					return callable.call();
				}));
			}
			List<Object> results = new ArrayList<>();
			for (Future<?> future : futures) {
				results.add(outcome(future));
			}
			return results;
		}
		finally {
			threads.shutdownNow();
		}
	}

	/**
	 * Wait as a load does.
	 */
	static void await(CountDownLatch latch) {
		try {
			latch.await();
		}
		catch (InterruptedException ex) {
			throw new IllegalStateException(ex);
		}
	}

	private static Object outcome(Future<?> future) {
		try {
			Object value = future.get(60, TimeUnit.SECONDS);
			return (value != null) ? value : "null";
		}
		catch (ExecutionException ex) {
			return ex.getCause();
		}
		catch (Exception ex) {
			throw new IllegalStateException(ex);
		}
	}

}
