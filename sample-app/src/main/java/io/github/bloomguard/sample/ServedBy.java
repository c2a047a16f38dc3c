package io.github.bloomguard.sample;

import java.util.Locale;

/**
 * Who has answered a request, as told in the header {@value #HEADER}.
 */
enum ServedBy {

	/**
	 * The filter was certain that the product doesn't exist.
	 */
	FILTER,

	/**
	 * It was remembered that the database had found nothing.
	 */
	SENTINEL,

	/**
	 * The product was in the cache.
	 */
	CACHE,

	/**
	 * A statement was sent to the database.
	 */
	DATABASE;

	static final String HEADER = "X-Served-By";

	@Override
	public String toString() {
		return name().toLowerCase(Locale.ROOT);
	}

}
