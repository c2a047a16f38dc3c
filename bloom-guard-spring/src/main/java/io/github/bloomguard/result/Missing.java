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

import java.lang.reflect.Constructor;
import java.util.function.Supplier;

import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.declaration.Declaration;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanInstantiationException;
import org.springframework.beans.BeanUtils;
import org.springframework.dao.EmptyResultDataAccessException;

/**
 * An exception that means that nothing was found, and how one is made.
 *
 * @param made makes it, each time anew
 */
record Missing(Class<? extends RuntimeException> type, Supplier<? extends RuntimeException> made) {

	/**
	 * Return the exception that an annotation names, {@code null} if it names none.
	 */
	static @Nullable Missing of(Declaration declaration) {
		Class<? extends RuntimeException> named = ((BloomGuarded) declaration.annotation()).missing();
		return (named != BloomGuarded.NoException.class) ? of(declaration, named) : null;
	}

	static Missing of(Declaration declaration, Class<? extends RuntimeException> type) {
		if (type == RuntimeException.class) {
			throw declaration.invalid("missing", type.getName(), "takes each failure for a row that is missing",
					"name an exception that is thrown for nothing else", null);
		}
		try {
			return find(type, declaration.filter());
		}
		catch (NoSuchMethodException | BeanInstantiationException ex) {
			throw declaration.invalid("missing", type.getName(), "names an exception that the guard can't make",
					"name one that is not abstract and has a constructor with a String, the message, or one"
							+ " without parameters",
					ex);
		}
	}

	/**
	 * Return the exception that a method has thrown, {@code null} if it can't be made.
	 */
	static @Nullable Missing like(Throwable failure, String filter) {
		try {
			return (failure instanceof RuntimeException) ? find(((RuntimeException) failure).getClass(), filter) : null;
		}
		catch (NoSuchMethodException | BeanInstantiationException ex) {
			return null;
		}
	}

	private static Missing find(Class<? extends RuntimeException> type, String filter) throws NoSuchMethodException {
		String message = "Not found (filter '" + filter + "')";
		Supplier<RuntimeException> remote = RemoteNotFound.of(type, message);
		Missing missing = (remote != null) ? new Missing(type, remote) : find(type, (Object) message);
		missing.exception();
		return missing;
	}

	private static Missing find(Class<? extends RuntimeException> type, Object message) throws NoSuchMethodException {
		if (EmptyResultDataAccessException.class.isAssignableFrom(type)) {
			return of(type.getDeclaredConstructor(String.class, int.class), message, 1);
		}
		try {
			return of(type.getDeclaredConstructor(String.class), message);
		}
		catch (NoSuchMethodException ex) {
			return of(type.getDeclaredConstructor());
		}
	}

	private static <E extends RuntimeException> Missing of(Constructor<E> constructor, @Nullable Object... arguments) {
		return new Missing(constructor.getDeclaringClass(), () -> BeanUtils.instantiateClass(constructor, arguments));
	}

	RuntimeException exception() {
		return this.made.get();
	}

	boolean isTypeOf(Throwable failure) {
		return type().isInstance(NotFound.cause(failure));
	}

}
