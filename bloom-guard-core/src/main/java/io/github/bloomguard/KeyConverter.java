package io.github.bloomguard;

/**
 * Gives keys of one type a form that a filter can hold; each bean of this type is used.
 * Needed only for types that have no canonical form of their own.
 *
 * @param <T> the type of the keys
 * @since 0.1.0
 */
public interface KeyConverter<T> {

	/**
	 * Return the type of the keys. Keys of its subtypes are converted too.
	 * @return the type
	 */
	Class<T> type();

	/**
	 * Convert a key. Equal keys must give equal results, in each version of the
	 * application that shares the filter.
	 * @param key the key
	 * @return a number, string, UUID, enum or date, or a record or collection of these
	 */
	Object convert(T key);

}
