package io.github.bloomguard;

import org.jspecify.annotations.Nullable;

/**
 * Loads the value of a key that may exist.
 *
 * @param <T> the type of the value
 * @param <X> what the loader may throw; a lambda that throws no checked exception makes
 * it a {@link RuntimeException}
 * @since 0.1.0
 */
@FunctionalInterface
public interface Loader<T extends @Nullable Object, X extends Throwable> {

	/**
	 * Load the value.
	 * @return the value, or {@code null} if there is none
	 * @throws X if it can't be loaded
	 */
	T load() throws X;

}
