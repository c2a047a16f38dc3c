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

import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.Evidence;
import io.github.bloomguard.generation.Proof;
import io.github.bloomguard.generation.Rollout;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Evidence that a filter has to give before it is believed. Both kinds of evidence are
 * needed: a filter of the wrong column, schema or copy calls all keys absent, so keys
 * that were not found say nothing about it, but it is never right about a key that
 * exists.
 * <p>
 * Concurrency: evidence is gathered by any thread and reported by a refresh. It is left
 * where it is until that has succeeded, since to report it twice does not change it.
 */
final class Probation {

	private static final int KEYS_PER_FOUND_KEY = 10;

	/**
	 * How many keys wait at most for being reported.
	 */
	private static final int MAX_WAITING = 1000;

	private final Set<String> absent = ConcurrentHashMap.newKeySet();

	private final Set<String> found = ConcurrentHashMap.newKeySet();

	private volatile int keys;

	private volatile Duration settle = Duration.ZERO;

	private volatile LongSupplier insertions = () -> Long.MAX_VALUE;

	/**
	 * Require a proof.
	 * @param keys how many different keys that the filter calls absent have to be looked
	 * for and not found
	 */
	void require(int keys, LongSupplier insertions) {
		this.keys = keys;
		this.insertions = insertions;
	}

	/**
	 * Wait for the end of a rollout.
	 */
	void settle(Duration settle) {
		this.settle = settle;
	}

	boolean isSettled(Rollout rollout) {
		return rollout.isOver(this.settle);
	}

	/**
	 * Return whether a scan that begins now has all rows of instances of before, and of
	 * other versions.
	 */
	boolean isSettleDue(ControlRecord record, Duration running) {
		return !isSettled(record.rollout()) && record.rollout().isOverIn(this.settle, record.now(), running);
	}

	Instant settlesAt(Rollout rollout) {
		return rollout.end(this.settle);
	}

	boolean isPassed(Proof proof) {
		return this.keys == 0 || proof.complete() || isEnough(proof);
	}

	private boolean isEnough(Proof proof) {
		return proof.calls() >= this.keys && proof.found() >= requiredFound(proof);
	}

	/**
	 * Return how many different keys have to be found that the filter lets pass. It can't
	 * be more than there are, unless they have all been added since nothing was loaded.
	 */
	long requiredFound(Proof proof) {
		long required = mostFound();
		return (proof.found() >= required || proof.empty()) ? required
				: Math.min(required, Math.max(this.insertions.getAsLong(), 1));
	}

	private long mostFound() {
		return (this.keys + KEYS_PER_FOUND_KEY - 1) / KEYS_PER_FOUND_KEY;
	}

	/**
	 * Say what a filter lacks.
	 */
	String remaining(Proof proof, Rollout rollout) {
		if (rollout.isRivalled(this.settle)) {
			return String
				.format("it is loaded, and is loaded again after %s (rebuild.settle), because another version of this"
						+ " application, with another query, entity, source or type of this filter, was seen until"
						+ " %s: rows that it inserts may be missing here. If both are to run beside each other,"
						+ " give their filters different names, or set rebuild.settle to 0s if each adds the keys"
						+ " of both", settlesAt(rollout), Instant.ofEpochMilli(rollout.rival()));
		}
		if (!isSettled(rollout)) {
			return "it is loaded, and is loaded again after " + settlesAt(rollout)
					+ " (rebuild.settle), because instances of before may insert rows until then";
		}
		return String.format(
				"it is loaded, and proves itself: %d of %d different keys that it calls absent were looked"
						+ " for and not found, %d of %d that it lets pass were found",
				Math.min(proof.calls(), this.keys), this.keys, proof.found(), requiredFound(proof));
	}

	void notFound(String key, Proof proof) {
		if (proof.calls() < this.keys) {
			note(this.absent, key);
		}
	}

	void found(String key, Proof proof) {
		if (proof.found() < mostFound()) {
			note(this.found, key);
		}
	}

	private static void note(Set<String> keys, String key) {
		if (keys.size() < MAX_WAITING) {
			keys.add(String.format("%08x", key.hashCode()));
		}
	}

	Evidence evidence(Proof proof) {
		if (this.keys == 0 || proof.complete()) {
			return Evidence.NONE;
		}
		return new Evidence(List.copyOf(this.absent), List.copyOf(this.found), isEnough(proof));
	}

	void reported(Evidence evidence) {
		evidence.absent().forEach(this.absent::remove);
		evidence.found().forEach(this.found::remove);
	}

}
