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

package io.github.bloomguard.interceptor;

import java.lang.reflect.Constructor;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;

import io.github.bloomguard.annotation.BloomGuarded;
import org.jspecify.annotations.Nullable;

import org.springframework.beans.BeanInstantiationException;
import org.springframework.beans.BeanUtils;
import org.springframework.util.Assert;

/**
 * Operation of a {@code @BloomGuarded}, for one key or for many.
 *
 * @param emptyTtl {@code null} for as long as the filter says
 * @param missing what is thrown if nothing can be found, {@code null} for the empty value
 */
record GuardOperation(Declaration declaration, String filter, @Nullable GuardExpression key,
		@Nullable KeysParameter keys, @Nullable GuardExpression condition, @Nullable Duration emptyTtl,
		@Nullable Missing missing) {

	GuardOperation {
		Assert.hasText(filter, "'filter' must not be empty");
		Assert.isTrue((key == null) != (keys == null), "Either 'key' or 'keys' must be given");
		Assert.isTrue(emptyTtl == null || !emptyTtl.isNegative(), "'emptyTtl' must not be negative");
	}

	@Override
	public String toString() {
		return "filter: " + this.filter + ", " + ((this.keys != null) ? "keys: " + this.keys : "key: " + this.key)
				+ ((this.condition != null) ? ", condition: " + this.condition : "");
	}

	record Missing(Constructor<? extends RuntimeException> constructor, List<String> arguments) {

		static @Nullable Missing of(Declaration declaration, Class<? extends RuntimeException> type, String filter) {
			if (type == BloomGuarded.NoException.class) {
				return null;
			}
			if (type == RuntimeException.class) {
				throw declaration.invalid("missing", type.getName(), "takes each failure for a row that is missing",
						"name an exception that is thrown for nothing else", null);
			}
			try {
				Missing missing = find(type, "Not found (filter '" + filter + "')");
				missing.exception();
				return missing;
			}
			catch (NoSuchMethodException | BeanInstantiationException ex) {
				throw declaration.invalid("missing", type.getName(), "names an exception that the guard can't make",
						"name one that is not abstract and has a constructor with a String, the message, or one"
								+ " without parameters",
						ex);
			}
		}

		private static Missing find(Class<? extends RuntimeException> type, String message)
				throws NoSuchMethodException {
			try {
				return new Missing(type.getDeclaredConstructor(String.class), List.of(message));
			}
			catch (NoSuchMethodException ex) {
				return new Missing(type.getDeclaredConstructor(), List.of());
			}
		}

		RuntimeException exception() {
			return BeanUtils.instantiateClass(this.constructor, this.arguments.toArray());
		}

		boolean isCauseOf(Throwable failure) {
			Throwable cause = failure.getCause();
			return this.constructor.getDeclaringClass()
				.isInstance((failure instanceof CompletionException && cause != null) ? cause : failure);
		}

	}

}
