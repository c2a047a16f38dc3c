/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.bloomguard.backend.redis;

import java.io.IOException;
import java.net.UnknownHostException;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.circuit.RedisRefusedException;
import io.github.bloomguard.circuit.RedisUnavailableException;
import io.github.bloomguard.library.Library;
import org.redisson.client.RedisConnectionException;
import org.redisson.client.RedisException;
import org.redisson.client.RedisNodeNotFoundException;
import org.redisson.client.RedisResponseTimeoutException;
import org.redisson.client.RedisTimeoutException;

import org.springframework.core.NestedExceptionUtils;

/**
 * Finds out from what Redisson throws whether Redis has answered, and what. Redisson's
 * messages contain whole scripts and their arguments, which do not belong in a log.
 */
final class RedisFailures {

	private static final String AFTER_REPLY = ". channel: ";

	/**
	 * What Redis before 7 puts in front of the reply that a script got.
	 */
	private static final String BEFORE_REPLY = "^ERR Error running script .*@user_script: ?\\d+: -";

	private RedisFailures() {
	}

	static RuntimeException translate(Throwable failure) {
		Throwable cause = failure;
		while (cause instanceof CompletionException && cause.getCause() != null) {
			cause = cause.getCause();
		}
		if (Library.explain(cause) instanceof InvalidGuardException unsuitable) {
			return unsuitable;
		}
		if (cause instanceof RedisRefusedException || cause instanceof RedisUnavailableException) {
			return (RuntimeException) cause;
		}
		if (cause.getClass() == RedisException.class && message(cause).contains(AFTER_REPLY)) {
			return new RedisRefusedException(withoutCommand(message(cause)));
		}
		if (isNotSentInTime(cause)) {
			return new RedisUnavailableException("no connection in time", cause);
		}
		if (cause instanceof RedisTimeoutException || cause instanceof java.util.concurrent.TimeoutException) {
			return new RedisUnavailableException("no answer in time", cause);
		}
		return new RedisUnavailableException(describe(cause), cause);
	}

	static boolean isNotSent(Throwable failure) {
		return Stream.iterate(failure, Objects::nonNull, Throwable::getCause)
			.anyMatch(
					(cause) -> cause instanceof RedisNodeNotFoundException || cause instanceof RedisConnectionException
							|| cause instanceof IOException || isNotSentInTime(cause));
	}

	static boolean isNotSentInTime(Throwable cause) {
		return cause instanceof RedisTimeoutException && !(cause instanceof RedisResponseTimeoutException);
	}

	private static String describe(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			if (cause instanceof UnknownHostException) {
				return "unknown host (" + withoutCommand(message(cause)) + ")";
			}
		}
		Throwable specific = NestedExceptionUtils.getMostSpecificCause(failure);
		String reason = withoutCommand(message(specific));
		return attempt(failure, specific).map((attempt) -> attempt + ": " + reason).orElse(reason);
	}

	private static Optional<String> attempt(Throwable failure, Throwable specific) {
		return Stream.iterate(failure, (cause) -> cause != null && cause != specific, Throwable::getCause)
			.filter(RedisConnectionException.class::isInstance)
			.map((cause) -> withoutCommand(message(cause)))
			.reduce((outer, inner) -> inner);
	}

	private static String message(Throwable failure) {
		return String.valueOf(failure.getMessage());
	}

	private static String withoutCommand(String message) {
		String reply = message.split(AFTER_REPLY, 2)[0].split("(?i)\\W command: ", 2)[0];
		return reply.replaceFirst(BEFORE_REPLY, "").lines().findFirst().orElse("");
	}

}
