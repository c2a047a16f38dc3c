package io.github.bloomguard.backend.redis;

import java.util.concurrent.CompletionException;

import io.github.bloomguard.gate.RedisRefusedException;
import io.github.bloomguard.gate.RedisUnavailableException;
import org.redisson.client.RedisException;
import org.redisson.client.RedisTimeoutException;

import org.springframework.core.NestedExceptionUtils;

/**
 * Tells from what Redisson throws whether Redis has answered, and what. Redisson's
 * messages contain whole scripts and their arguments, which nobody wants in a log.
 */
final class RedisFailures {

	/**
	 * Follows the text of an error that Redis has replied.
	 */
	private static final String AFTER_REPLY = ". channel: ";

	private RedisFailures() {
	}

	/**
	 * Return the exception that says what has happened.
	 * @param failure what Redisson has thrown, perhaps wrapped
	 */
	static RuntimeException translate(Throwable failure) {
		Throwable cause = failure;
		while (cause instanceof CompletionException && cause.getCause() != null) {
			cause = cause.getCause();
		}
		if (cause instanceof RedisRefusedException || cause instanceof RedisUnavailableException) {
			return (RuntimeException) cause;
		}
		if (cause.getClass() == RedisException.class && message(cause).contains(AFTER_REPLY)) {
			return new RedisRefusedException(withoutCommand(message(cause)));
		}
		if (cause instanceof RedisTimeoutException || cause instanceof java.util.concurrent.TimeoutException) {
			return new RedisUnavailableException("no answer in time", cause);
		}
		Throwable specific = NestedExceptionUtils.getMostSpecificCause(cause);
		return new RedisUnavailableException(
				specific.getClass().getSimpleName() + ": " + withoutCommand(message(specific)), cause);
	}

	private static String message(Throwable failure) {
		return String.valueOf(failure.getMessage());
	}

	private static String withoutCommand(String message) {
		return message.split(AFTER_REPLY, 2)[0].split("(?i)\\W command: ", 2)[0].lines().findFirst().orElse("");
	}

}
