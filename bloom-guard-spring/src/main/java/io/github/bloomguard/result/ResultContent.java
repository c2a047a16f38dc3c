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

import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;

import io.github.bloomguard.declaration.OptionalLibrary;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;
import org.springframework.util.ObjectUtils;

/**
 * Whether a call has found something.
 */
public enum ResultContent {

	EMPTY,

	PRESENT,

	/**
	 * It can't be told without using up the result.
	 */
	UNKNOWN;

	private static final Object[] NO_ARGUMENTS = {};

	public static ResultContent of(@Nullable Object result) {
		return of(result, NO_ARGUMENTS);
	}

	/**
	 * @param arguments of the call, which tell whether a page is the first one
	 */
	public static ResultContent of(@Nullable Object result, @Nullable Object[] arguments) {
		if (result == null) {
			return EMPTY;
		}
		if (result instanceof ResultContent known) {
			return known;
		}
		if (result instanceof Optional<?> optional) {
			return (optional.isPresent() && isZero(optional.get())) ? PRESENT : of(optional.orElse(null), arguments);
		}
		if (Responses.isOne(result)) {
			return Responses.content(result);
		}
		if (isEmpty(result) || isZero(result)) {
			return EMPTY;
		}
		if (!isReadOnce(result)) {
			return PRESENT;
		}
		return isPage(result) ? Pages.content(result, arguments) : UNKNOWN;
	}

	/**
	 * For what is not found, the result for many keys may hold something empty, and what
	 * is no container may be anything.
	 */
	public static ResultContent ofMany(@Nullable Object result) {
		if (result == null) {
			return EMPTY;
		}
		if (result instanceof ResultContent known) {
			return known;
		}
		if (result instanceof Optional<?> optional) {
			return ofMany(optional.orElse(null));
		}
		if (Responses.isOne(result)) {
			return Responses.content(result);
		}
		if (result instanceof Map<?, ?> map) {
			return ofMany(map.values());
		}
		if (result instanceof Object[] array) {
			return ofMany(Arrays.asList(array));
		}
		if (result instanceof Collection<?> collection) {
			return collection.stream().allMatch((element) -> of(element) == EMPTY) ? EMPTY : PRESENT;
		}
		return isPage(result) ? of(result) : UNKNOWN;
	}

	/**
	 * Return whether a result is one as of {@code existsById} and {@code countByName}
	 * that says that there is nothing. The value of a row may be the same.
	 */
	public static boolean isZero(@Nullable Object result) {
		return Boolean.FALSE.equals(result) || (result instanceof Number number
				&& ClassUtils.isPrimitiveWrapper(number.getClass()) && number.doubleValue() == 0);
	}

	private static boolean isPage(Object result) {
		return OptionalLibrary.SPRING_DATA.isPresent() && Pages.isPage(result.getClass());
	}

	private static boolean isEmpty(Object result) {
		return (!(result instanceof CharSequence) && ObjectUtils.isEmpty(result))
				|| (result instanceof OptionalInt number && number.isEmpty())
				|| (result instanceof OptionalLong number && number.isEmpty())
				|| (result instanceof OptionalDouble number && number.isEmpty());
	}

	private static boolean isReadOnce(Object result) {
		return result instanceof BaseStream || result instanceof Iterator || result instanceof Future
				|| (result instanceof Iterable && !(result instanceof Collection || result instanceof Map));
	}

}
