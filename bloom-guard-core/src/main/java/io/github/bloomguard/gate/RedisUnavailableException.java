package io.github.bloomguard.gate;

import org.jspecify.annotations.Nullable;

/**
 * Redis has not answered: there is no connection, or no answer has come in time.
 *
 * @since 0.1.0
 */
public class RedisUnavailableException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param message what was seen, without the text of commands and their arguments
	 * @param cause what the client has thrown
	 */
	public RedisUnavailableException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
