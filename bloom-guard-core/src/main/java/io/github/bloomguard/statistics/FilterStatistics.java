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

package io.github.bloomguard.statistics;

import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;

import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.Membership;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.generation.Doubt;
import org.jspecify.annotations.Nullable;

/**
 * Counts what happens at one filter, and passes it on to the listeners.
 */
public final class FilterStatistics implements BloomGuardListener {

	private final String filter;

	private final ListenerChain listeners;

	private final LongAdder[] outcomes = counters(Outcome.values().length);

	private final LongAdder[] sources = counters(Source.values().length);

	private final LongAdder[] states = counters(FilterState.values().length);

	private final AtomicReference<Doubt> doubt = new AtomicReference<>(Doubt.NONE);

	private volatile long acknowledged;

	public FilterStatistics(String filter, ListenerChain listeners) {
		this.filter = filter;
		this.listeners = listeners;
	}

	private static LongAdder[] counters(int count) {
		return Stream.generate(LongAdder::new).limit(count).toArray(LongAdder[]::new);
	}

	public void decided(Decision decision) {
		add(outcome(decision), 1);
		if (decision.uncertain()) {
			add(Outcome.UNCERTAIN, 1);
		}
		if (decision.membership() == Membership.ABSENT && !decision.answered()) {
			letThrough(1);
		}
		this.listeners.deliver((listener) -> listener.onVerdict(this.filter, decision.verdict()));
	}

	/**
	 * Note keys that are called absent, and about which calls are to find out.
	 */
	public void letThrough(int keys) {
		add(Outcome.LET_THROUGH, keys);
	}

	public void asked(Source source, int keys) {
		this.sources[source.ordinal()].add(keys);
	}

	public void falsePositive() {
		add(Outcome.FALSE_POSITIVE, 1);
		this.listeners.deliver((listener) -> listener.onFalsePositive(this.filter));
	}

	public void falseNegative() {
		add(Outcome.FALSE_NEGATIVE, 1);
		this.listeners.deliverLater((listener) -> listener.onFalseNegative(this.filter));
	}

	public void floodStarted() {
		this.listeners.deliverLater((listener) -> listener.onFloodStarted(this.filter));
	}

	public void floodEnded() {
		this.listeners.deliverLater((listener) -> listener.onFloodEnded(this.filter));
	}

	public void lookedUp() {
		add(Outcome.LOOKED_UP, 1);
	}

	public void rejected() {
		add(Outcome.REJECTED, 1);
		this.listeners.deliver((listener) -> listener.onRejected(this.filter));
	}

	public void adding(int keys) {
		this.listeners.deliver((listener) -> listener.onAddStarted(this.filter, keys));
	}

	public void added(int keys) {
		add(Outcome.ADDED, keys);
		this.listeners.deliver((listener) -> listener.onAdded(this.filter, keys));
	}

	public void notAdded(int keys, Throwable cause) {
		add(Outcome.NOT_ADDED, keys);
		this.listeners.deliver((listener) -> listener.onAddFailed(this.filter, keys, cause));
	}

	@Override
	public void onLoadStarted(String filter, boolean rebuild) {
		this.listeners.deliver((listener) -> listener.onLoadStarted(filter, rebuild));
	}

	@Override
	public void onLoadEnded(String filter, @Nullable Throwable failure) {
		this.listeners.deliver((listener) -> listener.onLoadEnded(filter, failure));
	}

	@Override
	public void onStateChange(String filter, FilterState from, FilterState to, @Nullable Throwable cause) {
		this.states[to.ordinal()].increment();
		this.listeners.deliverLater((listener) -> listener.onStateChange(filter, from, to, cause));
	}

	/**
	 * Return how often the filter was asked.
	 */
	public long decisions() {
		return count(Outcome.ABSENT) + count(Outcome.MAYBE) + count(Outcome.REMEMBERED) + count(Outcome.UNKNOWN);
	}

	public long count(Outcome outcome) {
		return this.outcomes[outcome.ordinal()].sum();
	}

	public long lookups(Source source) {
		return this.sources[source.ordinal()].sum();
	}

	public long changesTo(FilterState state) {
		return this.states[state.ordinal()].sum();
	}

	public long unacknowledgedFalseNegatives() {
		return count(Outcome.FALSE_NEGATIVE) - this.acknowledged;
	}

	/**
	 * Acknowledge false negatives in the instance that an operator has asked to.
	 */
	public void acknowledgeFalseNegatives() {
		this.doubt.set(Doubt.NONE);
		this.acknowledged = count(Outcome.FALSE_NEGATIVE);
	}

	/**
	 * Acknowledge false negatives when an operator has done so in another instance.
	 * @param doubt what the record says, read again and again
	 */
	public void see(Doubt doubt) {
		Doubt former = this.doubt.getAndSet(doubt);
		if (doubt.acknowledges(former)) {
			this.acknowledged = count(Outcome.FALSE_NEGATIVE);
		}
	}

	private void add(Outcome outcome, int count) {
		this.outcomes[outcome.ordinal()].add(count);
	}

	private static Outcome outcome(Decision verdict) {
		return switch (verdict.membership()) {
			case ABSENT -> Outcome.ABSENT;
			case MAYBE -> verdict.answered() ? Outcome.REMEMBERED : Outcome.MAYBE;
			case UNKNOWN -> Outcome.UNKNOWN;
		};
	}

	public enum Source {

		MIRROR,

		REDIS,

		MEMORY

	}

	/**
	 * What becomes of a key: it is {@link #ABSENT}, {@link #MAYBE}, {@link #REMEMBERED}
	 * or {@link #UNKNOWN}, and may be some of the others, too.
	 */
	public enum Outcome {

		/**
		 * A key that the filter calls absent.
		 */
		ABSENT,

		/**
		 * A key that the filter lets pass, and whose call goes through.
		 */
		MAYBE,

		/**
		 * A key that the filter lets pass, answered by an empty sentinel.
		 */
		REMEMBERED,

		UNKNOWN,

		/**
		 * One of those that are absent whose call goes through all the same, to find out
		 * whether that is true.
		 */
		LET_THROUGH,

		/**
		 * One of those that may be there because their form decides nothing.
		 */
		UNCERTAIN,

		FALSE_POSITIVE,

		FALSE_NEGATIVE,

		/**
		 * A key that the filter called absent, and for which it was found out whether
		 * that is true.
		 */
		LOOKED_UP,

		ADDED,

		NOT_ADDED,

		REJECTED

	}

}
