package io.github.bloomguard.call;

/**
 * The right of one call to load while the filter can't tell.
 *
 * @since 0.1.0
 */
public interface LoadPermit extends AutoCloseable {

	/**
	 * Give the right back, because the call has ended, however it did. Doing so again
	 * changes nothing.
	 */
	@Override
	void close();

}
