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

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.declaration.AnnotatedMethod;
import io.github.bloomguard.declaration.Declaration;
import io.github.bloomguard.declaration.ReturnTypes;
import io.github.bloomguard.logging.ThrottledLog;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;
import org.springframework.dao.EmptyResultDataAccessException;
import org.springframework.util.Assert;
import org.springframework.util.ClassUtils;

/**
 * What a method does when it finds nothing, so that a call for an absent key ends in the
 * same way.
 * <p>
 * That is what the annotation names, or what the type of the method tells, or else what
 * it did for a key that the filter called absent. A method that never returns
 * {@code null} gets its calls until that was seen.
 */
public final class NothingFound {

	private final ThrottledLog notes = new ThrottledLog(NothingFound.class);

	private final Declaration declaration;

	private final @Nullable Missing named;

	private final EmptyValue empty;

	private final boolean neverNull;

	private volatile @Nullable Missing thrown;

	private volatile @Nullable EmptyValue answer;

	private volatile boolean otherNothingSeen;

	private NothingFound(Declaration declaration, EmptyValue empty, boolean neverNull, @Nullable Missing named,
			@Nullable Missing thrown) {
		this.declaration = declaration;
		this.named = named;
		this.empty = empty;
		this.neverNull = neverNull;
		this.thrown = thrown;
		this.answer = (thrown != null) ? failing(thrown) : neverNull ? null : empty;
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
		boolean known = named != null || !neverNull || !method.isOfRepository()
				|| ClassUtils.isPrimitiveWrapper(method.returnType().toClass());
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

	public boolean isKnown() {
		return this.answer != null;
	}

	public @Nullable Object answer(@Nullable Object[] arguments) {
		EmptyValue answer = this.answer;
		Assert.state(answer != null, "What the method does is not known");
		return answer.get(arguments);
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
	 * Learn from a call that has found nothing. A method that returns one row as a map
	 * may return {@code null} then, whereas an absent key has an empty map.
	 */
	public void returned(@Nullable Object result) {
		EmptyValue answer = this.answer;
		if (answer == null && (result == null || ResultContent.isZero(result))) {
			this.answer = (arguments) -> result;
		}
		else if (result == null && answer != null && !this.otherNothingSeen
				&& answer.get(new Object[0]) instanceof Map) {
			this.otherNothingSeen = true;
			this.notes.warn(LogMessage.format("%s returns null for what is missing, and the guard an empty map;"
					+ " return an Optional of the map, or an empty one", this.declaration), null);
		}
	}

	/**
	 * Learn from a call whose failure means that there is nothing.
	 */
	public void failed(Throwable failure) {
		Missing exception = exception(failure);
		if (this.named == null && exception != null && exception != this.thrown) {
			this.thrown = exception;
			this.answer = failing(exception);
			if (!isNoValue()) {
				this.notes.warn(LogMessage.format(
						"%s throws %s for what is missing, and so does the guard from now on;"
								+ " to have that from the start, write missing = %s.class",
						this.declaration, exception.type().getName(), exception.type().getSimpleName()), null);
			}
		}
	}

	/**
	 * Say that a call for an absent key has failed with what may mean anything.
	 */
	public void unknown(Throwable failure) {
		Class<?> type = NotFound.cause(failure).getClass();
		this.notes.warn(LogMessage.format(
				"%s has failed with %s for a key that is not in the filter, which proves nothing;"
						+ " if it means that there is no such row, write missing = %s.class",
				this.declaration, type.getName(), type.getSimpleName()), null);
	}

	private @Nullable Missing exception(Throwable failure) {
		Missing thrown = this.thrown;
		if (thrown != null && thrown.type() == NotFound.cause(failure).getClass()) {
			return thrown;
		}
		return NotFound.isCertain(failure) ? Missing.like(NotFound.cause(failure), this.declaration.filter()) : null;
	}

	private EmptyValue failing(Missing exception) {
		return (arguments) -> this.empty.fail(exception.exception());
	}

}
