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

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.circuit.RedisRefusedException;
import io.github.bloomguard.circuit.RedisUnavailableException;
import io.github.bloomguard.logging.FailureDescription;
import io.github.bloomguard.logging.LogFields;
import io.github.bloomguard.logging.ThrottledLog;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * The state of one filter as it was published last. Each change is logged once and passed
 * on to a listener, by the thread that finds it out. A reason that becomes known later,
 * and what Redis refuses when it answers again, are published, too.
 */
final class TrackedState {

	private static final Log logger = LogFactory.getLog(GenerationalFilter.class);

	private final Map<FilterState, ThrottledLog> logs = Stream.of(FilterState.values())
		.collect(Collectors.toMap(Function.identity(), (state) -> new ThrottledLog(GenerationalFilter.class)));

	private final String filter;

	private final StateListener listener;

	private final AtomicReference<StateChange> published = new AtomicReference<>(
			new StateChange(FilterState.WARMING_UP, Instant.now(), null));

	TrackedState(String filter, StateListener listener) {
		this.filter = filter;
		this.listener = listener;
	}

	void publish(FilterState to, @Nullable String loss, @Nullable Throwable cause) {
		StateChange last = latest();
		FilterState from = last.state();
		boolean refused = cause instanceof RedisRefusedException;
		if (from == to && (cause == null || (last.reason() != null && !refused))) {
			return;
		}
		String reason = (cause != null) ? FailureDescription.of(cause) : loss;
		if (from == to) {
			if (!Objects.equals(reason, last.reason())
					&& this.published.compareAndSet(last, new StateChange(to, last.since(), reason)) && refused) {
				LogFields.withFilter(this.filter, () -> log(to)
					.warn(LogMessage.format("The filter '%s' is %s: %s", this.filter, to, reason), null));
			}
			return;
		}
		if (this.published.compareAndSet(last, new StateChange(to, Instant.now(), reason))) {
			LogFields.withFilter(this.filter,
					() -> log(from, to, cause, LogMessage.format("The filter '%s' is %s, it was %s%s", this.filter, to,
							from, (reason != null) ? ": " + reason : "")));
			this.listener.onStateChange(from, to, cause);
		}
	}

	StateChange latest() {
		return Objects.requireNonNull(this.published.get());
	}

	private void log(FilterState from, FilterState to, @Nullable Throwable cause, LogMessage message) {
		if (cause instanceof RedisUnavailableException) {
			// said once for all filters, when it is noticed that Redis does not answer
			logger.debug(message);
		}
		else if (!isWhole(to)) {
			log(to).warn(message, null);
		}
		else if (isWhole(from)) {
			log(to).info(message);
		}
		else if (endOutages()) {
			logger.warn(message);
		}
	}

	/**
	 * End what was written of any state: the one before may be another than was written.
	 */
	private boolean endOutages() {
		boolean written = false;
		for (ThrottledLog log : this.logs.values()) {
			written |= log.end();
		}
		return written;
	}

	private ThrottledLog log(FilterState state) {
		return Objects.requireNonNull(this.logs.get(state));
	}

	private static boolean isWhole(FilterState state) {
		return state == FilterState.READY || state == FilterState.WARMING_UP;
	}

}
