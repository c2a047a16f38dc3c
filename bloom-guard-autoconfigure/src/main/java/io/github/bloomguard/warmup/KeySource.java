package io.github.bloomguard.warmup;

import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * Gives the keys of one filter for its warm-up; each bean of this type is used. A filter
 * may have several sources; their keys are joined.
 *
 * @since 0.1.0
 */
public interface KeySource {

	/**
	 * Return the name of the filter.
	 * @return the name, as configured under {@code bloom-guard.filters}
	 */
	String filter();

	/**
	 * Return the keys of all rows that are committed when the method is called. They are
	 * read once, by one thread, and never held in memory together, so a lazy stream keeps
	 * the memory constant. {@code null} elements are passed over.
	 * @return the keys, in any form that keys may have; the stream is closed after use
	 */
	Stream<?> keys();

	/**
	 * Return how many keys there are about, for the progress.
	 * @return the number, empty if it is not known or costly to find out
	 */
	default OptionalLong count() {
		return OptionalLong.empty();
	}

}
