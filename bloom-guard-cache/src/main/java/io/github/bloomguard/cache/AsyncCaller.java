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

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.jspecify.annotations.Nullable;

/**
 * The caller of a method whose result arrives later. No thread waits.
 */
final class AsyncCaller extends Caller {

	private final CachedCall call;

	private final CacheParts parts;

	AsyncCaller(EntryKey entry, CacheRules rules, long arrived, @Nullable LoadChain chain, CachedCall call,
			CacheParts parts) {
		super(entry, rules, arrived, chain);
		this.call = call;
		this.parts = parts;
	}

	/**
	 * Return a value, {@code null} if the call is to load it.
	 */
	CompletableFuture<byte @Nullable []> value() {
		return this.parts.goOn(this.parts.flights().board(this)).thenApply((flight) -> {
			byte[] value = flight.value();
			if (value == null) {
				loads(flight);
			}
			return value;
		});
	}

	private void loads(Flight flight) {
		long start = System.nanoTime();
		flight.outcome().whenComplete((value, failure) -> {
			Duration duration = Duration.ofNanos(System.nanoTime() - start);
			this.parts.events().tell((listener) -> listener.onLoad(entry().cache(), duration, value == null));
		});
		// a load that never ends, or stores nothing, must not keep others from loading
		flight.cancelledAfter(rules().loads().lease().toNanos());
		this.call.missed(entry(), flight, this.parts.returns());
	}

	@Override
	CompletableFuture<Boolean> ask(BooleanSupplier question) {
		return ask(question, 0);
	}

	private CompletableFuture<Boolean> ask(BooleanSupplier question, int before) {
		return this.parts.ask(question::getAsBoolean)
			.thenCompose((answered) -> answered ? CompletableFuture.completedFuture(before > 0)
					: new CompletableFuture<>().completeOnTimeout(true, pause(before), TimeUnit.NANOSECONDS)
						.thenCompose((paused) -> ask(question, before + 1)));
	}

	@Override
	CompletableFuture<byte @Nullable []> await(CompletableFuture<byte @Nullable []> value, long nanos) {
		return value.copy().completeOnTimeout(null, nanos, TimeUnit.NANOSECONDS);
	}

}
