package io.github.bloomguard.guard;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.GuardedFilter;
import io.github.bloomguard.UnknownFilterException;

/**
 * Knows the configured filters by their names.
 *
 * @since 0.1.0
 */
public final class DefaultBloomGuard implements BloomGuard {

	private final ManagedFilters filters;

	/**
	 * Create a guard.
	 * @param filters the configured filters
	 */
	public DefaultBloomGuard(ManagedFilters filters) {
		this.filters = filters;
	}

	@Override
	public GuardedFilter filter(String name) {
		ManagedFilter filter = this.filters.get(name);
		if (filter == null) {
			throw new UnknownFilterException(name, this.filters.names());
		}
		return filter.guard();
	}

}
