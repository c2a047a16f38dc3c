package io.github.bloomguard.autoconfigure;

import java.util.List;

import io.github.bloomguard.KeySource;

/**
 * Finds the sources of the keys of each filter. A bean of this type takes the place of
 * what the properties and the {@link KeySource} beans say, as in tests that load nothing.
 *
 * @since 0.1.0
 */
public interface KeySources {

	/**
	 * Return the sources of a filter.
	 * @param filter its name, as configured under {@code bloom-guard.filters}
	 * @return the sources; without one, the filter is not loaded
	 */
	List<KeySource> find(String filter);

}
