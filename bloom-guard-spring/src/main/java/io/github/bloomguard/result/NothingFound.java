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

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.declaration.AnnotatedMethod;
import io.github.bloomguard.declaration.Declaration;
import io.github.bloomguard.declaration.ReturnTypes;
import io.github.bloomguard.logging.ThrottledLog;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;
import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.util.Assert;

/**
 * What a method does when it finds nothing, so that a call for an absent key ends in the
 * same way.
 * <p>
 * The annotation names it, or the type of the method tells it, or else several calls for
 * different keys do that no row has ({@link SeenOutcomes}): a caller chooses the key of a
 * call, so that one alone tells nothing. Nor does a key that is not written as keys are
 * that have rows ({@link FoundForms}): a method may refuse it as malformed. A method that
 * never returns {@code null} gets its calls until then. Another one is answered with the
 * empty value of its type, unless it has thrown for all such keys before it is answered
 * first.
 * <p>
 * Concurrency: {@code answer} is written once, by the thread that decides, under the
 * monitor of this. What is seen later does not change it.
 */
public final class NothingFound {

	private static final @Nullable Object[] NO_ARGUMENTS = {};

	/**
	 * Stands for all answers with the status 404, of which each may have another body.
	 */
	private static final Object NO_RESPONSE = new Object();

	private final ThrottledLog notes = new ThrottledLog(NothingFound.class);

	private final Declaration declaration;

	private final @Nullable Missing named;

	private final EmptyValue empty;

	private final boolean neverNull;

	private final @Nullable Missing known;

	private final SeenOutcomes seen = new SeenOutcomes();

	private final FoundForms forms = new FoundForms();

	private final Map<Class<?>, Optional<Missing>> exceptions = new ConcurrentHashMap<>();

	private volatile @Nullable EmptyValue answer;

	private volatile boolean otherNothingSeen;

	private NothingFound(Declaration declaration, EmptyValue empty, boolean neverNull, @Nullable Missing named,
			@Nullable Missing known) {
		this.declaration = declaration;
		this.named = named;
		this.empty = empty;
		this.neverNull = neverNull;
		this.known = known;
		this.answer = (known != null) ? failing(known) : null;
	}

	/**
	 * @param all what else is declared of the method, and this
	 * @throws InvalidGuardException if the method has no empty value
	 */
	public static NothingFound of(Declaration declaration, List<Declaration> all) {
		EmptyValue empty = EmptyValue.of(declaration, all.stream().allMatch((other) -> Missing.of(other) != null));
		AnnotatedMethod method = declaration.method();
		boolean neverNull = empty == EmptyValue.NULL && method.isNeverNull()
				&& !ReturnTypes.isReactive(method.returnType());
		Missing named = Missing.of(declaration);
		boolean known = named != null || !neverNull || !method.isOfRepository();
		return new NothingFound(declaration, empty, neverNull, named,
				known ? named : Missing.of(declaration, EmptyResultDataAccessException.class));
	}

	/**
	 * Return whether it is not a value, so that no cache remembers it, and each instance
	 * knows so.
	 */
	public boolean isNoValue() {
		return this.neverNull || this.named != null;
	}

	/**
	 * Return whether a call can be answered, which is decided when the first one is to
	 * be.
	 */
	public boolean isKnown() {
		return this.answer != null || decide() != null;
	}

	public @Nullable Object answer(@Nullable Object[] arguments) {
		EmptyValue answer = this.answer;
		Assert.state(answer != null, "What the method does is not known");
		return answer.get(arguments);
	}

	private synchronized @Nullable EmptyValue decide() {
		if (this.answer == null) {
			this.answer = this.neverNull ? this.seen.first().map(this::repeating).orElse(null)
					: this.seen.only().map(this::repeatingKnowingly).orElse(this.empty);
		}
		return this.answer;
	}

	private EmptyValue repeating(Object outcome) {
		return (outcome instanceof Missing exception) ? failing(exception)
				: (arguments) -> ((Optional<?>) outcome).orElse(null);
	}

	private EmptyValue repeatingKnowingly(Object outcome) {
		if (!(outcome instanceof Missing exception)) {
			return this.empty;
		}
		this.notes.warn(LogMessage.format(
				"%s throws %s for what is missing, and so does the guard from now on;"
						+ " to have that from the start, write missing = %s.class",
				this.declaration, exception.type().getName(), exception.type().getSimpleName()), null);
		return failing(exception);
	}

	/**
	 * Return whether a failure for a single key means that there is nothing.
	 */
	public boolean isMeantBy(Throwable failure) {
		return isNamed(failure) || exception(failure) != null;
	}

	public boolean isNamed(Throwable failure) {
		return this.named != null && this.named.isTypeOf(failure);
	}

	/**
	 * Learn how keys are written from a call that has found something.
	 */
	public void found(Object key) {
		if (this.answer == null) {
			this.forms.add(key);
		}
	}

	/**
	 * Learn from a call that has found nothing. A method that returns one row as a map
	 * may return {@code null} then, whereas an absent key has an empty map.
	 * @param key that of the call
	 * @param ifAbsent runs what it is given if no row has the key
	 */
	public void returned(Object key, @Nullable Object result, Consumer<Runnable> ifAbsent) {
		if (!this.neverNull || result == null || ResultContent.isZero(result)) {
			see(Responses.isOne(result) ? NO_RESPONSE : Optional.ofNullable(result), key, ifAbsent);
		}
		if (result == null && !this.otherNothingSeen && this.known == null
				&& this.empty.get(NO_ARGUMENTS) instanceof Map) {
			this.otherNothingSeen = true;
			this.notes.warn(LogMessage.format("%s returns null for what is missing, and the guard an empty map;"
					+ " return an Optional of the map, or an empty one", this.declaration), null);
		}
	}

	/**
	 * Learn from a call whose failure means that there is nothing.
	 * @param key that of the call
	 * @param ifAbsent runs what it is given if no row has the key
	 */
	public void failed(Object key, Throwable failure, Consumer<Runnable> ifAbsent) {
		Missing exception = exception(failure);
		if (exception != null) {
			see(exception, key, ifAbsent);
		}
	}

	private void see(Object outcome, Object key, Consumer<Runnable> ifAbsent) {
		if (this.answer == null && this.forms.contains(key) && this.seen.isNew(outcome, key)) {
			ifAbsent.accept(() -> this.seen.add(outcome, key));
		}
	}

	/**
	 * Say that a call for an absent key has failed with what may mean anything, and what
	 * to write if it may mean that nothing was found.
	 */
	public void unknown(Throwable failure) {
		if (NotFound.isOutage(failure)) {
			return;
		}
		Class<?> type = NotFound.cause(failure).getClass();
		String remedy = (NotFound.isLikely(failure) && RuntimeException.class.isAssignableFrom(type))
				? "if it means that there is no such row, write missing = " + type.getSimpleName() + ".class"
				: "a method that throws for what is missing needs an exception that it throws for nothing else,"
						+ " named as missing";
		this.notes.warn(LogMessage.format(
				"%s has failed with %s for a key that is not in the filter, which proves" + " nothing; %s",
				this.declaration, type.getName(), remedy), null);
	}

	private @Nullable Missing exception(Throwable failure) {
		Throwable cause = NotFound.cause(failure);
		return NotFound.isCertain(cause) ? this.exceptions
			.computeIfAbsent(cause.getClass(),
					(type) -> Optional.ofNullable(Missing.like(cause, this.declaration.filter())))
			.orElse(null) : null;
	}

	private EmptyValue failing(Missing exception) {
		return (arguments) -> this.empty.fail(exception.exception());
	}

}
