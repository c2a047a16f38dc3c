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

package io.github.bloomguard.instance;

import java.time.Duration;
import java.util.function.LongSupplier;

import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.generation.Proof;
import org.jspecify.annotations.Nullable;

/**
 * What a filter has to show before it is believed, and how it is verified then.
 * <p>
 * Both kinds of keys count: a filter of the wrong column, schema or copy calls all keys
 * absent, so keys that were not found say nothing about it, but it is never right about a
 * key that exists. As many keys that exist are a proof by themselves.
 *
 * @param calls how many different keys that the filter calls absent have to be looked for
 * and not found, 0 if it needs no proof
 * @param settle how long older instances may insert rows, zero if there are none
 * @param verification when absent answers are looked up, as configured
 * @param callersOnly whether the rows that there are depend on the caller, so that no
 * source can tell
 * @param unseenWriters in which way rows may come that no writer shows, {@code null} if
 * there is none
 * @param insertions how many keys the filter has, {@code Long.MAX_VALUE} if that is not
 * known
 */
public record Requirements(int calls, Duration settle, Mode verification, boolean callersOnly,
		@Nullable String unseenWriters, LongSupplier insertions) {

	private static final int KEYS_PER_FOUND_KEY = 10;

	/**
	 * Enough for a database that only this process writes.
	 */
	private static final int KEYS_OF_OWN = 3;

	/**
	 * Return what is required of a filter of a database in the memory of this process.
	 */
	Requirements ofOwn() {
		return new Requirements(Math.min(this.calls, KEYS_OF_OWN), Duration.ZERO, this.verification, this.callersOnly,
				this.unseenWriters, this.insertions);
	}

	Requirements withUnseenWriters(@Nullable String unseenWriters) {
		return new Requirements(this.calls, this.settle, this.verification, this.callersOnly, unseenWriters,
				this.insertions);
	}

	boolean areMetBy(Proof proof, long requiredFound) {
		return this.calls == 0 || proof.complete() || isEnough(proof, requiredFound);
	}

	/**
	 * Existing keys are a proof by themselves if there are as many. Each of them would
	 * pass a filter of other keys by chance only, and one that lacks a part of the rows
	 * would sooner or later have called one of them absent.
	 */
	private boolean isEnough(Proof proof, long requiredFound) {
		return proof.found() >= this.calls || (proof.absent() >= this.calls && proof.found() >= requiredFound);
	}

	/**
	 * Return how many different keys have to be found that the filter lets pass, beside
	 * those that it calls absent. It can't be more than there are, unless they have all
	 * been added since nothing was loaded.
	 */
	long found(Proof proof) {
		long most = (this.calls + KEYS_PER_FOUND_KEY - 1) / KEYS_PER_FOUND_KEY;
		return (proof.complete() || proof.found() >= most || proof.empty()) ? most
				: Math.min(most, Math.max(this.insertions.getAsLong(), 1));
	}

	/**
	 * Return when absent answers are looked up.
	 * @param suspect whether something was found that makes absent answers suspect
	 */
	Mode verification(boolean suspect) {
		boolean before = suspect || this.callersOnly || this.unseenWriters != null;
		return (this.verification == Mode.BEHIND && before) ? Mode.BEFORE : this.verification;
	}

}
