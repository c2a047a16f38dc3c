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

package io.github.bloomguard.circuit;

import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * A question that is asked whatever the circuit breaker says, and never throws.
 */
public final class Attempt {

	private Attempt() {
	}

	/**
	 * Ask a question. If it throws an exception instead of returning a future, the
	 * exception completes the future that is returned.
	 */
	public static <T> CompletableFuture<T> of(Supplier<CompletableFuture<T>> question) {
		try {
			return question.get();
		}
		catch (RuntimeException | LinkageError | OutOfMemoryError ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

}
