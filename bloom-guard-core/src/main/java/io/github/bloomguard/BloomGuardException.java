package io.github.bloomguard;

import org.jspecify.annotations.Nullable;

/**
 * Base of all exceptions of the guard.
 *
 * @since 0.1.0
 */
public abstract class BloomGuardException extends RuntimeException {

	private static final long serialVersionUID = 1L;

	BloomGuardException(String message, @Nullable Throwable cause) {
		super(message, cause);
	}

}
