package io.github.bloomguard.generation;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.gate.RedisUnavailableException;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * The state of one filter. Each change is logged once and told to a listener. Written by
 * whoever finds out; the last one is right.
 */
final class TrackedState {

	private static final Log logger = LogFactory.getLog(GenerationalFilter.class);

	private final String filter;

	private final StateListener listener;

	private final AtomicReference<FilterState> state = new AtomicReference<>(FilterState.WARMING_UP);

	TrackedState(String filter, StateListener listener) {
		this.filter = filter;
		this.listener = listener;
	}

	FilterState get() {
		return Objects.requireNonNull(this.state.get());
	}

	void change(FilterState to, @Nullable Throwable cause) {
		FilterState from = this.state.getAndSet(to);
		if (from != to) {
			log(to, cause, LogMessage.format("The filter '%s' is %s, it was %s%s", this.filter, to, from,
					(cause != null) ? ": " + cause.getMessage() : ""));
			this.listener.onStateChange(from, to, cause);
		}
	}

	private static void log(FilterState state, @Nullable Throwable cause, LogMessage message) {
		if (cause instanceof RedisUnavailableException) {
			// said once for all filters, when it is noticed that Redis does not answer
			logger.debug(message);
		}
		else if (state == FilterState.LOST || state == FilterState.UNREACHABLE) {
			logger.warn(message);
		}
		else {
			logger.info(message);
		}
	}

}
