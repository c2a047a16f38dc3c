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
	 * @param id names the filter
	 * @param reason how it was noticed
	 */
	public FilterGoneException(GenerationId id, String reason) {
		super("Generation " + id + " is gone: " + reason);
	}

}
