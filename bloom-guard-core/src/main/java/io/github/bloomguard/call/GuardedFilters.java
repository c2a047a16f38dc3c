package io.github.bloomguard.call;

import io.github.bloomguard.UnknownFilterException;

/**
 * Gives the configured filters.
 *
 * @since 0.1.0
 */
@FunctionalInterface
public interface GuardedFilters {

	/**
	 * Return one of the configured filters, to be kept and used for many calls.
	 * @param name the name, as configured under {@code bloom-guard.filters}
	 * @return the filter
	 * @throws UnknownFilterException if there is none of that name
	 */
	GuardedFilter get(String name);

}
