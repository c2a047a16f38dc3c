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
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;

import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Asks databases, when the tables have been created, about what would be refused. If one
 * does not answer in time, the warm-up or the feed tells what is wrong.
 *
 * @param longest the longest wait for all answers
 * @param questions each fails with an {@link InvalidGuardException} if the application is
 * not to start
 */
record DatabaseCheck(Duration longest, Executor executor,
		Supplier<Stream<Runnable>> questions) implements SmartInitializingSingleton {

	@Override
	public void afterSingletonsInstantiated() {
		List<CompletableFuture<Void>> answers = this.questions.get()
			.map((question) -> CompletableFuture.runAsync(question, this.executor))
			.toList();
		CompletableFuture.allOf(answers.toArray(CompletableFuture<?>[]::new))
			.orTimeout(this.longest.toMillis(), TimeUnit.MILLISECONDS)
			.exceptionally((failure) -> null)
			.join();
		// each one: another may hang, or have failed for another reason
		answers.forEach(DatabaseCheck::throwIfInvalid);
	}

	private static void throwIfInvalid(CompletableFuture<Void> answer) {
		try {
			answer.getNow(null);
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof InvalidGuardException invalid) {
				throw invalid;
			}
		}
	}

}
