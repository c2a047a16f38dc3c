package io.github.bloomguard.gate;

/**
 * Redis has answered with an error, such as one about a missing right.
 *
 * @since 0.1.0
 */
public class RedisRefusedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param message the error, without the text of commands and their arguments
	 */
	public RedisRefusedException(String message) {
		super(message);
	}

}
