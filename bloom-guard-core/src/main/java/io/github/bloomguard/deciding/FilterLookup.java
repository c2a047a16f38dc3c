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

import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.Membership;
import io.github.bloomguard.call.Answer;
import io.github.bloomguard.circuit.CircuitBreaker;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.filter.KeySpellings;
import io.github.bloomguard.instance.FilterSnapshot;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.sentinel.EmptySentinels;
import io.github.bloomguard.source.SourceAnswers;
import io.github.bloomguard.statistics.FilterStatistics;
import io.github.bloomguard.statistics.FilterStatistics.Source;
import org.jspecify.annotations.Nullable;

/**
 * Asks one filter for keys in their form, if Redis may be asked, and for no longer than a
 * call may wait.
 */
public final class FilterLookup {

	private final KeyFormat format;

	private final GenerationalFilter filter;

	private final CircuitBreaker breaker;

	private final FilterStatistics statistics;

	private final SourceAnswers sources;

	private final Source memory;

	private final Source server;

	public FilterLookup(KeyFormat format, GenerationalFilter filter, CircuitBreaker breaker,
			FilterStatistics statistics, SourceAnswers sources) {
		this.format = format;
		this.filter = filter;
		this.breaker = breaker;
		this.statistics = statistics;
		this.sources = sources;
		this.memory = filter.isLocal() ? Source.MEMORY : Source.MIRROR;
		this.server = filter.isLocal() ? Source.MEMORY : Source.REDIS;
	}

	FilterSnapshot snapshot() {
		return this.filter.snapshot();
	}

	public String form(Object key) {
		return this.format.format(key);
	}

	/**
	 * Return a hash of a key, for which numbers and text need no form.
	 */
	public long hash(Object key) {
		if (KeyFormat.isInteger(key)) {
			return KeyHash.of(((Number) key).longValue());
		}
		return KeyHash.of((key instanceof String text) ? text : form(key));
	}

	@Nullable String formIfAsked(@Nullable Object key) {
		return (key == null || this.filter.mode() == FilterMode.OFF) ? null : form(key);
	}

	public long deadline() {
		return this.breaker.deadline();
	}

	/**
	 * Return the name under which it is remembered that there is no row for a key. An add
	 * forgets what is remembered of all keys that may be equal to its own, so keys that
	 * are written in different ways share a name, and each of them is remembered by its
	 * own text there. All that are uncertain share one, which every add forgets.
	 */
	public SentinelName sentinel(Object key, String form) {
		if (!isCertain(key) || !this.filter.isDistinct(form)) {
			return new SentinelName(EmptySentinels.UNCERTAIN, form);
		}
		String name = this.filter.isVerbatim() ? form : KeySpellings.joined(form);
		return new SentinelName(name, name.equals(form) ? "" : form);
	}

	/**
	 * Return whether it says something of a key that the filter lets it pass.
	 */
	boolean isTelling(Object key) {
		if (KeyFormat.isInteger(key) || this.filter.canTellAll()) {
			return isCertain(key);
		}
		return isTelling(key, form(key));
	}

	/**
	 * Return whether it says something of a key that the filter lets it pass: not if it
	 * lets the key pass in any case, and not if it leaves out what tells it from others.
	 */
	boolean isTelling(Object key, String form) {
		return canTell(key, form) && !this.filter.leavesOut(form);
	}

	/**
	 * Return whether the filter may call a key absent.
	 */
	public boolean canTell(Object key, String form) {
		return isCertain(key) && this.filter.canTell(form);
	}

	/**
	 * Return whether each row that is found for a key has the texts of its parts.
	 */
	public boolean areDistinct(Object key, List<@Nullable String> texts) {
		return texts.stream().allMatch((text) -> text != null && this.filter.isDistinct(text)) && isCertain(key);
	}

	/**
	 * Return whether a key is one that the filter may call absent. None is before the
	 * sources have looked at their database, as they have for what is loaded. A key with
	 * a part that is {@code null} never is: no such key is ever added, and a method may
	 * find a row for it.
	 */
	public boolean isCertain(Object key) {
		if (!this.format.isComplete(key)) {
			return false;
		}
		boolean certain = this.sources.tellApart(key)
				&& (this.filter.owner() == null || this.filter.tellsApart(this.format, key));
		if (!certain && this.filter.active() != null) {
			this.sources.noteUncertain(key);
		}
		return certain;
	}

	Membership onlyIfCertain(Object key, Membership answer) {
		return (answer == Membership.ABSENT && !isCertain(key)) ? Membership.MAYBE : answer;
	}

	/**
	 * Ask for a key without Redis, unless that is known not to answer. A mirror may call
	 * a form absent because a key of that form was removed, which tells nothing about
	 * others; it does so only where text is compared exactly.
	 * @return {@code UNKNOWN} if Redis has to be asked
	 */
	Membership askMemory(FilterSnapshot snapshot, Object key, String form) {
		Membership answer = this.breaker.permits() ? onlyIfCertain(key, this.filter.lookupInMemory(snapshot, form))
				: Membership.UNKNOWN;
		if (answer == Membership.ABSENT && !this.filter.isVerbatim() && !this.format.isCanonical(key)
				&& this.filter.isDistinct(form)) {
			return Membership.UNKNOWN;
		}
		return counted(answer);
	}

	Membership askMemory(FilterSnapshot snapshot, Object key) {
		if (!KeyFormat.isInteger(key)) {
			return askMemory(snapshot, key, form(key));
		}
		return this.breaker.permits()
				? counted(onlyIfCertain(key, this.filter.lookupInMemory(snapshot, ((Number) key).longValue())))
				: Membership.UNKNOWN;
	}

	private Membership counted(Membership answer) {
		if (answer != Membership.UNKNOWN) {
			this.statistics.asked(this.memory, 1);
		}
		return answer;
	}

	/**
	 * Return what Redis answers, for which a call waits no longer than it may.
	 * @param otherwise what is answered if Redis does not
	 */
	public <T> Answer<T> bounded(CompletableFuture<T> answer, T otherwise) {
		long deadline = deadline();
		return Answer.of(() -> this.breaker.await(answer, otherwise, deadline),
				() -> bounded(answer, otherwise, deadline));
	}

	public <T> CompletableFuture<T> bounded(CompletableFuture<T> answer, T otherwise, long deadline) {
		return this.breaker.bounded(answer, deadline).exceptionally((failure) -> otherwise);
	}

	public CompletableFuture<List<Membership>> bounded(List<String> forms) {
		return bounded(ask(this.filter.snapshot(), forms), Collections.nCopies(forms.size(), Membership.UNKNOWN))
			.future();
	}

	CompletableFuture<List<Membership>> ask(FilterSnapshot snapshot, List<String> forms) {
		this.statistics.asked(this.server, forms.size());
		return forms.isEmpty() ? CompletableFuture.completedFuture(List.of())
				: this.breaker.ask(() -> this.filter.lookup(snapshot, forms));
	}

	CompletableFuture<Membership> ask(FilterSnapshot snapshot, String form) {
		this.statistics.asked(this.server, 1);
		return this.breaker.ask(() -> this.filter.lookup(snapshot, form));
	}

}
