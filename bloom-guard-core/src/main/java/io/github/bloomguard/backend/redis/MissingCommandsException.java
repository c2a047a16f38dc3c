package io.github.bloomguard.backend.redis;

import java.util.List;

import io.github.bloomguard.gate.RedisRefusedException;

/**
 * A server has not all of the commands that a kind of filter needs.
 *
 * @since 0.1.0
 */
public class MissingCommandsException extends RedisRefusedException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception.
	 * @param commands the names of the commands
	 */
	public MissingCommandsException(List<String> commands) {
		super("the server has no " + String.join(", ", commands));
	}

}
