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

package io.github.bloomguard.verifying;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.source.SourceAnswers;
import io.github.bloomguard.verifying.SourceLookUps.Call;

/**
 * Asks the sources about keys for which calls have found nothing, before that is
 * remembered: what a call has read may be old. In an attack these are the keys that the
 * filter lets pass by chance, thousands a second, so they are gathered, and all that came
 * during one question are asked about by the next.
 * <p>
 * Concurrency: all that ask for a key share the question that begins next, never one that
 * is under way, because a row may have come since that began. So a key leaves the map
 * before its question is asked, and the thread that has put it there offers it to be
 * gathered only afterwards.
 */
final class AbsenceQuestions {

	/**
	 * How many questions a second are asked of a source that is slow.
	 */
	private static final double RATE = 20;

	private final Map<String, Asked> next = new ConcurrentHashMap<>();

	private final SourceAnswers sources;

	private final SourceLookUps lookUps;

	private final GatheredKeys<Asked> gathered;

	AbsenceQuestions(SourceAnswers sources, SourceLookUps lookUps, MonotonicClock clock, Executor executor) {
		this.sources = sources;
		this.lookUps = lookUps;
		this.gathered = new GatheredKeys<>(RATE, clock, executor, this::ask);
	}

	/**
	 * Have the sources asked whether there is a row with a key now.
	 * @param form the text by which the key is gathered
	 */
	Asked ask(String form, Object key) {
		Asked mine = new Asked(form, key, new CompletableFuture<>(), new AtomicBoolean());
		Asked shared = this.next.putIfAbsent(form, mine);
		if (shared != null) {
			return shared;
		}
		if (!this.gathered.offer(mine)) {
			this.next.remove(form, mine);
			mine.found().completeExceptionally(SourceLookUps.NOT_CALLED);
		}
		return mine;
	}

	/**
	 * A question that hangs and is given up does not keep the next from being asked.
	 */
	private CompletionStage<?> ask(List<Asked> keys) {
		keys.forEach((asked) -> this.next.remove(asked.form(), asked));
		Call<List<Optional<Boolean>>> call = this.lookUps.call(() -> CompletableFuture
			.completedFuture(this.sources.containsEach(keys.stream().map(Asked::key).toList())));
		CompletableFuture<List<Optional<Boolean>>> outcome = (call != null) ? call.outcome()
				: CompletableFuture.failedFuture(SourceLookUps.NOT_CALLED);
		return outcome.whenComplete((told, failure) -> {
			for (int i = 0; i < keys.size(); i++) {
				CompletableFuture<Optional<Boolean>> found = keys.get(i).found();
				if (failure != null) {
					found.completeExceptionally(failure);
				}
				else {
					found.complete(told.get(i));
				}
			}
		});
	}

	/**
	 * A key that is asked about.
	 *
	 * @param found completes with whether there is a row with it, empty if that can't be
	 * told; exceptionally if that could not be asked
	 * @param remembered whether one of those that ask remembers that there is none
	 */
	record Asked(String form, Object key, CompletableFuture<Optional<Boolean>> found, AtomicBoolean remembered) {

		/**
		 * Return whether the caller asks this first, so that one alone remembers that
		 * there is no row.
		 */
		boolean claim() {
			return this.remembered.compareAndSet(false, true);
		}

	}

}
