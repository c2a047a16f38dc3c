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
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.BooleanSupplier;

import io.github.bloomguard.call.ThreadTransaction;
import org.jspecify.annotations.Nullable;

/**
 * A caller that has missed an entry. How it waits is all in which callers differ: one
 * holds its thread meanwhile, so that what it is given is there already, and the other
 * goes on later.
 */
abstract class Caller {

	private static final long FIRST_PAUSE = Duration.ofMillis(2).toNanos();

	private static final long LONGEST_PAUSE = Duration.ofMillis(40).toNanos();

	private final EntryKey entry;

	private final CacheRules rules;

	private final @Nullable LoadChain chain;

	private final boolean readsLatest = ThreadTransaction.readsLatest();

	private final long arrived;

	/**
	 * @param arrived when the call came, in the terms of {@link System#nanoTime()}
	 * @param chain the loads that it is part of, {@code null} if there are none
	 */
	Caller(EntryKey entry, CacheRules rules, long arrived, @Nullable LoadChain chain) {
		this.entry = entry;
		this.rules = rules;
		this.arrived = arrived;
		this.chain = chain;
	}

	/**
	 * Return the loads that it is part of, which others may wait for, {@code null} if
	 * there are none.
	 */
	final @Nullable LoadChain chain() {
		return this.chain;
	}

	final EntryKey entry() {
		return this.entry;
	}

	final CacheRules rules() {
		return this.rules;
	}

	final boolean mayHave(byte[] value) {
		return this.readsLatest || !EntryScripts.isNull(value);
	}

	final long arrived() {
		return this.arrived;
	}

	final long patience() {
		return this.rules.loads().longestWait().toNanos();
	}

	/**
	 * Ask Redis again and again until it has answered.
	 * @param question returns whether it has
	 * @return whether it was asked again
	 */
	abstract CompletableFuture<Boolean> ask(BooleanSupplier question);

	/**
	 * Wait for a value. It is {@code null} if it has not come in time.
	 */
	abstract CompletableFuture<byte @Nullable []> await(CompletableFuture<byte @Nullable []> value, long nanos);

	/**
	 * Return how long to wait before a question is asked again. The pauses grow, and
	 * those of many callers differ.
	 */
	static long pause(int questions) {
		long pause = Math.min(FIRST_PAUSE << Math.min(questions, 10), LONGEST_PAUSE);
		return pause / 2 + ThreadLocalRandom.current().nextLong(pause);
	}

}
