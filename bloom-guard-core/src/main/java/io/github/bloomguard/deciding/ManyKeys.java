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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

import io.github.bloomguard.Membership;
import io.github.bloomguard.instance.FilterSnapshot;
import org.jspecify.annotations.Nullable;

/**
 * Many keys of one call, for which a filter is asked some at a time, so that others get
 * their turn. What is not decided by the deadline is unknown.
 * <p>
 * Concurrency: one thread at a time makes chunks. Their answers come on any thread, each
 * for positions of its own, and are read when all have come.
 */
final class ManyKeys {

	/**
	 * Keys that are asked for together. Takes Redis less than a millisecond.
	 */
	private static final int CHUNK = 500;

	private final List<? extends @Nullable Object> keys;

	private final FilterLookup lookup;

	private final @Nullable String[] forms;

	private final Membership[] answers;

	private FilterSnapshot snapshot;

	private int next;

	private long deadline;

	ManyKeys(List<? extends @Nullable Object> keys, FilterLookup lookup) {
		this.keys = keys;
		this.lookup = lookup;
		this.forms = new String[keys.size()];
		this.answers = new Membership[keys.size()];
		this.snapshot = lookup.snapshot();
		begin();
	}

	/**
	 * Begin anew, with what is known of the filter now.
	 */
	ManyKeys reset() {
		this.snapshot = this.lookup.snapshot();
		begin();
		return this;
	}

	private void begin() {
		Arrays.fill(this.answers, Membership.UNKNOWN);
		this.next = 0;
		this.deadline = this.lookup.deadline();
	}

	/**
	 * Ask for all keys. The next ones are on their way while others are waited for.
	 * @return these keys; exceptionally only if one of them has no form
	 */
	CompletableFuture<ManyKeys> ask(Executor executor) {
		return ask(CompletableFuture.completedFuture(null), executor);
	}

	private CompletableFuture<ManyKeys> ask(CompletableFuture<Void> before, Executor executor) {
		CompletableFuture<Void> underWay = before;
		while (this.next < this.keys.size() && this.deadline - System.nanoTime() > 0) {
			CompletableFuture<Void> following = askChunk();
			if (!underWay.isDone()) {
				return underWay.thenComposeAsync((nothing) -> ask(following, executor), executor);
			}
			underWay = following;
		}
		return underWay.thenApply((nothing) -> this);
	}

	private CompletableFuture<Void> askChunk() {
		int end = Math.min(this.next + CHUNK, this.keys.size());
		List<Integer> indexes = new ArrayList<>();
		List<String> asked = new ArrayList<>();
		for (; this.next < end; this.next++) {
			Object key = this.keys.get(this.next);
			String form = this.lookup.formIfAsked(key);
			this.forms[this.next] = form;
			if (key != null && form != null) {
				this.answers[this.next] = this.lookup.askMemory(this.snapshot, key, form);
				if (this.answers[this.next] == Membership.UNKNOWN) {
					indexes.add(this.next);
					asked.add(form);
				}
			}
		}
		List<Membership> unknown = Collections.nCopies(asked.size(), Membership.UNKNOWN);
		return asked.isEmpty() ? CompletableFuture.completedFuture(null)
				: this.lookup.bounded(this.lookup.ask(this.snapshot, asked), unknown, this.deadline)
					.thenAccept((given) -> {
						for (int i = 0; i < indexes.size(); i++) {
							this.answers[indexes.get(i)] = given.get(i);
						}
					});
	}

	FilterSnapshot snapshot() {
		return this.snapshot;
	}

	@Nullable String form(int index) {
		return this.forms[index];
	}

	long deadline() {
		return this.deadline;
	}

	Membership answer(int index) {
		Object key = this.keys.get(index);
		return (key != null) ? this.lookup.onlyIfCertain(key, this.answers[index]) : this.answers[index];
	}

	boolean isTelling(int index) {
		Object key = this.keys.get(index);
		String form = this.forms[index];
		return key == null || form == null || this.lookup.isTelling(key, form);
	}

	boolean anyAbsent() {
		return Arrays.asList(this.answers).contains(Membership.ABSENT);
	}

	ManyKeys withoutAbsent() {
		Arrays.setAll(this.answers,
				(index) -> (this.answers[index] != Membership.ABSENT) ? this.answers[index] : Membership.UNKNOWN);
		return this;
	}

	int size() {
		return this.keys.size();
	}

}
