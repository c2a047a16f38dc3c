package io.github.bloomguard.catchup;

import java.util.stream.Stream;

/**
 * Gives the keys of rows that came after a mark.
 *
 * @since 0.1.0
 */
public interface CatchUpSource {

	/**
	 * Return a mark that no row has passed which is not visible yet, as far as that can
	 * be known.
	 * @return the mark
	 */
	Mark start();

	/**
	 * Return the keys of the rows after a mark, in the order of their marks. They are
	 * read once, by one thread; the stream is closed after use.
	 * @param mark the mark
	 * @return the keys with their marks
	 */
	Stream<MarkedKey> keysAfter(Mark mark);

}
