package io.github.bloomguard.cache;

import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import org.springframework.cache.interceptor.SimpleKey;
import org.springframework.util.ObjectUtils;
import org.springframework.util.ReflectionUtils;

/**
 * A key as caches may know it. One of several parts is one key to the filter, whatever
 * container it comes in, but another one in a cache: that of a method with several
 * parameters is a {@link SimpleKey}, and where the parts are written down it is a list.
 */
final class CompositeKey {

	private CompositeKey() {
	}

	/**
	 * Return what a cache may call a key, as it is first.
	 */
	static Set<Object> forms(Object key) {
		List<@Nullable Object> parts = parts(key);
		if (parts == null || parts.size() < 2) {
			return Set.of(key);
		}
		Set<Object> forms = new LinkedHashSet<>();
		forms.add(key);
		forms.add(new SimpleKey(parts.toArray()));
		forms.add(parts);
		return forms;
	}

	private static @Nullable List<@Nullable Object> parts(Object key) {
		if (key instanceof Collection<?> collection) {
			return Collections.unmodifiableList(new ArrayList<>(collection));
		}
		if (key instanceof Record) {
			return Arrays.stream(key.getClass().getRecordComponents())
				.<@Nullable Object>map((component) -> value(component, key))
				.toList();
		}
		return (key.getClass().isArray() && !(key instanceof byte[])) ? Arrays.asList(ObjectUtils.toObjectArray(key))
				: null;
	}

	private static @Nullable Object value(RecordComponent component, Object key) {
		ReflectionUtils.makeAccessible(component.getAccessor());
		return ReflectionUtils.invokeMethod(component.getAccessor(), key);
	}

}
