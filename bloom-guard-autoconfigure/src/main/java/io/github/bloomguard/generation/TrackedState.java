package io.github.bloomguard.generation;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;

import io.github.bloomguard.FilterState;
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
			logger.info(LogMessage.format("The filter '%s' is %s, it was %s%s", this.filter, to, from,
					(cause != null) ? ": " + summary(cause) : ""));
			this.listener.onStateChange(from, to, cause);
		}
	}

	private static String summary(Throwable cause) {
		String message = (cause.getMessage() != null) ? cause.getMessage().lines().findFirst().orElse("") : "";
		return cause.getClass().getSimpleName() + " " + message;
	}

}
