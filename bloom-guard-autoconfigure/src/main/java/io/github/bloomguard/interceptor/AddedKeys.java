package io.github.bloomguard.interceptor;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;

import org.jspecify.annotations.Nullable;

import org.springframework.util.ObjectUtils;

/**
 * The keys to add for what an expression has given. A collection means its elements, but
 * <code>{#a, #b}</code> is also how a key of two parts is written, so that a small one is
 * added as a key of its own too: a key too many is harmless, one too few hides a row.
 */
final class AddedKeys {

	/**
	 * The most parts that a key can have.
	 */
	static final int MAX_PARTS = 8;

	private final List<Object> keys = new ArrayList<>();

	private AddedKeys() {
	}

	static List<Object> of(@Nullable Object value) {
		AddedKeys added = new AddedKeys();
		added.add(value);
		return added.keys;
	}

	private void add(@Nullable Object value) {
		if (value instanceof Collection<?> collection) {
			addElements(collection);
			addKey(collection.size(), collection.toArray());
		}
		else if (value instanceof Object[] array) {
			addElements(Arrays.asList(array));
			addKey(array.length, array);
		}
		else if (value instanceof byte[] || value == null || !value.getClass().isArray()) {
			addKey(1, value);
		}
		else {
			@Nullable Object[] elements = ObjectUtils.toObjectArray(value);
			addElements(Arrays.asList(elements));
			addKey(elements.length, value);
		}
	}

	private void addElements(Collection<? extends @Nullable Object> elements) {
		elements.forEach(this::add);
	}

	private void addKey(int parts, @Nullable Object key) {
		if (key != null && parts > 0 && parts <= MAX_PARTS) {
			this.keys.add(key);
		}
	}

}
