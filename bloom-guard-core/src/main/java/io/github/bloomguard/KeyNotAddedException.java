package io.github.bloomguard;

/**
 * Keys could not be added to a filter. A row that is stored all the same might be
 * reported as not found.
 *
 * @since 0.1.0
 */
public class KeyNotAddedException extends BloomGuardException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param filter the name of the filter
	 * @param cause why Redis did not take the keys
	 */
	public KeyNotAddedException(String filter, Throwable cause) {
		super("Keys could not be added to the filter '" + filter + "'", cause);
	}

}
