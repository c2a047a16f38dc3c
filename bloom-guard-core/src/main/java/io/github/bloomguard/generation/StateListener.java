package io.github.bloomguard.generation;

import io.github.bloomguard.FilterState;
import org.jspecify.annotations.Nullable;

/**
 * Receives each change of the state of a filter.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface StateListener {

	/**
	 * The state has changed.
	 * @param from what it was
	 * @param to what it is
	 * @param cause why, if it is a failure
	 */
	void onStateChange(FilterState from, FilterState to, @Nullable Throwable cause);

}
