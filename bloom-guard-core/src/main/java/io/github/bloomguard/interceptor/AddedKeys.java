package io.github.bloomguard.interceptor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ObjectUtils;

/**
 * The keys to add for what an expression has given: it stands for one key, whatever it
 * is, or each of its elements does. Nobody else takes anything apart.
 */
final class AddedKeys {

	private AddedKeys() {
	}

	/**
	 * Return the key, if it is one.
	 */
	static List<Object> one(@Nullable Object value) {
		return (value != null) ? List.of(value) : List.of();
	}

	/**
	 * Return the elements that are keys. What has no elements is a key itself, because a
	 * key that is not added hides a row.
	 */
	static List<Object> each(@Nullable Object value) {
		if (value instanceof Iterable<?> iterable) {
			List<Object> keys = new ArrayList<>();
			iterable.forEach((key) -> keys.addAll(one(key)));
			return keys;
		}
		if (value == null || value instanceof byte[] || !value.getClass().isArray()) {
			return one(value);
		}
		return Arrays.stream(ObjectUtils.toObjectArray(value)).filter(Objects::nonNull).toList();
	}

}
