package io.github.bloomguard.generation;

/**
 * A generation could not be completed, for a reason that may be gone at the next attempt.
 *
 * @since 0.1.0
 */
public class BuildFailedException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	BuildFailedException(String message) {
		super(message);
	}

}
