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

package io.github.bloomguard.result;

import java.util.Set;
import java.util.concurrent.CompletionException;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import io.github.bloomguard.declaration.TypeHierarchy;

/**
 * Tells which failures of a look-up mean that nothing was found.
 */
public final class NotFound {

	static final Set<String> TYPES = joined(
			Set.of("java.util.NoSuchElementException", "org.springframework.dao.EmptyResultDataAccessException",
					"org.springframework.orm.ObjectRetrievalFailureException",
					"jakarta.persistence.EntityNotFoundException", "jakarta.persistence.NoResultException"),
			RemoteNotFound.TYPES);

	/**
	 * What is thrown where something could not be asked.
	 */
	private static final Set<String> OUTAGES = joined(Set.of("java.io.IOException", "java.io.UncheckedIOException",
			"java.lang.Error", "java.lang.InterruptedException", "java.sql.SQLException",
			"java.util.concurrent.TimeoutException", "io.r2dbc.spi.R2dbcException",
			"jakarta.persistence.PersistenceException", "org.springframework.dao.DataAccessException",
			"org.springframework.transaction.TransactionException", "com.mongodb.MongoException",
			"io.github.bloomguard.BloomGuardException"), RemoteNotFound.OTHERS);

	private static final int MOST_CAUSES = 20;

	private NotFound() {
	}

	private static Set<String> joined(Set<String> some, Set<String> others) {
		return Stream.concat(some.stream(), others.stream()).collect(Collectors.toUnmodifiableSet());
	}

	/**
	 * Return whether a failure is of a type that Java, Spring or JPA has for this.
	 */
	static boolean isCertain(Throwable failure) {
		return isCertainByType(failure) && !isOutage(failure);
	}

	private static boolean isCertainByType(Throwable failure) {
		return hasType(failure, (type) -> TYPES.contains(type.getName()));
	}

	/**
	 * Return whether a failure seems to mean it, by its name: most applications have one
	 * of their own that ends like {@code EntityNotFoundException}.
	 */
	public static boolean isLikely(Throwable failure) {
		return isCertain(failure) || (hasType(failure, (type) -> type.getSimpleName().endsWith("NotFoundException"))
				&& !isOutage(failure));
	}

	/**
	 * Return whether a failure is that of a connection, a time-out, a lock, a transaction
	 * or the like, or caused by one, so that it can't mean that nothing was found.
	 */
	static boolean isOutage(Throwable failure) {
		Throwable cause = failure;
		for (int depth = 0; cause != null && depth < MOST_CAUSES; depth++) {
			if (!isCertainByType(cause) && hasType(cause, (type) -> OUTAGES.contains(type.getName()))) {
				return true;
			}
			cause = cause.getCause();
		}
		return false;
	}

	/**
	 * Return what a future has failed with.
	 */
	public static Throwable cause(Throwable failure) {
		Throwable cause = failure.getCause();
		return (failure instanceof CompletionException && cause != null) ? cause : failure;
	}

	private static boolean hasType(Throwable failure, Predicate<Class<?>> condition) {
		return TypeHierarchy.of(cause(failure).getClass()).anyMatch(condition);
	}

}
