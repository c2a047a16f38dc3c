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
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.sentinel.EmptySentinels;

/**
 * Remembers nothing, because nothing that adds keys would forget it.
 */
record NoSentinels() implements EmptySentinels {

	@Override
	public boolean areNone() {
		return true;
	}

	@Override
	public CompletableFuture<Boolean> contains(String key, String scope) {
		return CompletableFuture.completedFuture(false);
	}

	@Override
	public CompletableFuture<Boolean> containsAny(String key, String end) {
		return CompletableFuture.completedFuture(false);
	}

	@Override
	public CompletableFuture<Void> remember(String key, String scope, Duration ttl, long epoch) {
		return CompletableFuture.completedFuture(null);
	}

}
