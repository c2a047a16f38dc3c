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
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;

import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.circuit.RedisRefusedException;
import io.github.bloomguard.circuit.RedisUnavailableException;
import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.logging.FailureDescription;
import io.github.bloomguard.logging.LogFields;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * The state of one filter as it was published last. Each change is passed on to a
 * listener, by the thread that finds it out. A reason that becomes known later, and what
 * Redis refuses when it answers again, are published, too.
 * <p>
 * The log says the state once, and each not-working one at most once a minute. What was
 * not said then is said later, if it lasts: the present state is compared with what the
 * log said last whenever it is published.
 * <p>
 * Concurrency: both references are replaced atomically by the thread that finds the
 * difference, which is the one that tells it.
 */
final class PublishedState {

	private static final Log logger = LogFactory.getLog(GenerationalFilter.class);

	private static final Duration PAUSE = Duration.ofMinutes(1);

	private final String filter;

	private final MonotonicClock clock;

	private final BloomGuardListener listener;

	private final AtomicReference<StateChange> published;

	private final AtomicReference<Said> said;

	PublishedState(String filter, FilterState begun, MonotonicClock clock, BloomGuardListener listener) {
		this.filter = filter;
		this.clock = clock;
		this.listener = listener;
		StateChange first = new StateChange(begun, Instant.now(), null);
		this.published = new AtomicReference<>(first);
		this.said = new AtomicReference<>(new Said(first, Map.of()));
	}

	/**
	 * @param why why it is in that state, asked for if that is to be said
	 */
	void publish(FilterState to, Supplier<@Nullable String> why, @Nullable Throwable cause) {
		change(to, why, cause);
		if (!(cause instanceof RedisUnavailableException)) {
			// that Redis does not answer is said once for all filters
			say(latest());
		}
	}

	StateChange latest() {
		return Objects.requireNonNull(this.published.get());
	}

	private void change(FilterState to, Supplier<@Nullable String> why, @Nullable Throwable cause) {
		StateChange last = latest();
		FilterState from = last.state();
		boolean known = cause == null || (last.reason() != null && !(cause instanceof RedisRefusedException));
		if (from == to && known) {
			return;
		}
		String reason = (cause != null) ? FailureDescription.of(cause) : why.get();
		Instant since = (from == to) ? last.since() : Instant.now();
		if (this.published.compareAndSet(last, new StateChange(to, since, reason)) && from != to) {
			this.listener.onStateChange(this.filter, from, to, cause);
		}
	}

	private void say(StateChange now) {
		Said last = Objects.requireNonNull(this.said.get());
		long time = this.clock.nanoTime();
		if (last.differsFrom(now) && last.leaves(now.state(), time)
				&& this.said.compareAndSet(last, last.then(now, time))) {
			LogFields.withFilter(this.filter, () -> write(last.change().state(), now));
		}
	}

	private void write(FilterState from, StateChange now) {
		FilterState to = now.state();
		LogMessage message = LogMessage.format("The filter '%s' is %s%s%s", this.filter, to,
				(from != to) ? ", it was " + from : "", (now.reason() != null) ? ": " + now.reason() : "");
		if (isWhole(from) && isWhole(to)) {
			logger.info(message);
		}
		else {
			logger.warn(message);
		}
	}

	private static boolean isWhole(FilterState state) {
		return switch (state) {
			case LOADING, SETTLING, PROVING, READY, SHADOW, OFF -> true;
			case LOST, REFUTED, UNREACHABLE -> false;
		};
	}

	/**
	 * What the log says.
	 *
	 * @param change what it said last
	 * @param at when it last said each state
	 */
	private record Said(StateChange change, Map<FilterState, Long> at) {

		boolean differsFrom(StateChange now) {
			return this.change.state() != now.state()
					|| (this.change.reason() != null && !Objects.equals(this.change.reason(), now.reason()));
		}

		/**
		 * Return whether a state may be said now. One that works may.
		 */
		boolean leaves(FilterState state, long time) {
			Long last = this.at.get(state);
			return isWhole(state) || last == null || time - last >= PAUSE.toNanos();
		}

		Said then(StateChange now, long time) {
			Map<FilterState, Long> at = new EnumMap<>(FilterState.class);
			at.putAll(this.at);
			at.put(now.state(), time);
			return new Said(now, at);
		}

	}

}
