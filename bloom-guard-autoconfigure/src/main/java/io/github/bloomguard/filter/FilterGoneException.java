package io.github.bloomguard.filter;

/**
 * The bits were to be written of a filter that does not exist any more.
 *
 * @since 0.1.0
 */
public class FilterGoneException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param name the name of the filter
	 * @param cause how it was noticed
	 */
	public FilterGoneException(String name, Throwable cause) {
		super("The filter " + name + " is gone", cause);
	}

}
