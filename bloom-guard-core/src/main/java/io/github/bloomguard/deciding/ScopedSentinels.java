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

package io.github.bloomguard.deciding;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

import io.github.bloomguard.circuit.Attempt;
import io.github.bloomguard.circuit.CircuitBreaker;
import io.github.bloomguard.sentinel.EmptySentinels;

/**
 * The empty sentinels of those callers of one filter that look for the same.
 */
public record ScopedSentinels(EmptySentinels sentinels, CircuitBreaker breaker, UnaryOperator<Duration> jitter,
		String scope, Duration ttl) {

	public ScopedSentinels scopedTo(String scope) {
		return new ScopedSentinels(this.sentinels, this.breaker, this.jitter, scope, this.ttl);
	}

	public ScopedSentinels withTtl(Duration ttl) {
		return new ScopedSentinels(this.sentinels, this.breaker, this.jitter, this.scope, ttl);
	}

	public boolean areUsed() {
		return this.ttl.compareTo(Duration.ZERO) > 0;
	}

	/**
	 * Return whether no key is remembered, as far as that is known without asking.
	 */
	boolean areNone() {
		return !areUsed() || this.sentinels.areNone();
	}

	CompletableFuture<Boolean> ask(SentinelName key) {
		return this.breaker.ask(() -> this.sentinels.contains(key.name(), scope(key)));
	}

	public CompletableFuture<Boolean> askAny(SentinelName key) {
		return this.breaker.ask(() -> this.sentinels.containsAny(key.name(), scopeOf(key)));
	}

	public void remember(SentinelName key, long epoch) {
		Attempt.of(() -> this.sentinels.remember(key.name(), scope(key), this.jitter.apply(this.ttl), epoch));
	}

	private String scope(SentinelName key) {
		return this.scope + scopeOf(key);
	}

	/**
	 * Scopes have no line break, so a text can't pass for the scope of another key.
	 */
	private static String scopeOf(SentinelName key) {
		return "\n" + key.text();
	}

}
