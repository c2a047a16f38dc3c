package io.github.bloomguard.interceptor;

import java.lang.reflect.Array;
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

import org.jspecify.annotations.Nullable;

/**
 * Whether a call has found something.
 */
enum Emptiness {

	/**
	 * Nothing was found.
	 */
	EMPTY,

	/**
	 * Something was found.
	 */
	PRESENT,

	/**
	 * It can't be told without using up the result.
	 */
	UNKNOWN;

	/**
	 * Look at what a call has returned, or at what is known of it already.
	 */
	static Emptiness of(@Nullable Object result) {
		if (result == null) {
			return EMPTY;
		}
		if (result instanceof Emptiness known) {
			return known;
		}
		if (result instanceof Optional<?> optional) {
			return of(optional.orElse(null));
		}
		if (result instanceof Collection<?> collection) {
			return empty(collection.isEmpty());
		}
		if (result instanceof Map<?, ?> map) {
			return empty(map.isEmpty());
		}
		if (result.getClass().isArray()) {
			return empty(Array.getLength(result) == 0);
		}
		if (result instanceof OptionalLong optional) {
			return empty(optional.isEmpty());
		}
		if (result instanceof OptionalInt optional) {
			return empty(optional.isEmpty());
		}
		if (result instanceof OptionalDouble optional) {
			return empty(optional.isEmpty());
		}
		return isUsedUp(result) ? UNKNOWN : PRESENT;
	}

	/**
	 * Look at what a call for many keys has returned. For what is not found it may hold
	 * something empty, and what is no container may be anything.
	 */
	static Emptiness ofMany(@Nullable Object result) {
		if (result == null) {
			return EMPTY;
		}
		if (result instanceof Emptiness known) {
			return known;
		}
		if (result instanceof Optional<?> optional) {
			return ofMany(optional.orElse(null));
		}
		if (result instanceof Map<?, ?> map) {
			return ofMany(map.values());
		}
		if (result instanceof Object[] array) {
			return ofMany(Arrays.asList(array));
		}
		return (result instanceof Collection<?> collection)
				? empty(collection.stream().allMatch((element) -> of(element) == EMPTY)) : UNKNOWN;
	}

	private static boolean isUsedUp(Object result) {
		return result instanceof BaseStream || result instanceof Iterator || result instanceof Iterable
				|| result instanceof Future;
	}

	private static Emptiness empty(boolean empty) {
		return empty ? EMPTY : PRESENT;
	}

}
