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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.guard.ManagedFilters;

import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Refuses change logs that can't be followed, when the tables have been created. If the
 * database does not answer in time, the feed tells what is wrong.
 */
record ChangeLogsCheck(ManagedFilters filters, Executor executor) implements SmartInitializingSingleton {

	private static final Duration LONGEST = Duration.ofSeconds(5);

	@Override
	public void afterSingletonsInstantiated() {
		try {
			CompletableFuture
				.allOf(this.filters.stream()
					.map(ManagedFilter::changes)
					.flatMap(Stream::ofNullable)
					.map((feed) -> CompletableFuture.runAsync(feed::check, this.executor))
					.toArray(CompletableFuture<?>[]::new))
				.orTimeout(LONGEST.toMillis(), TimeUnit.MILLISECONDS)
				.join();
		}
		catch (CompletionException ex) {
			if (ex.getCause() instanceof InvalidGuardException invalid) {
				throw invalid;
			}
		}
	}

}
