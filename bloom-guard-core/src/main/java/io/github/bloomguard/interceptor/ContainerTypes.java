package io.github.bloomguard.interceptor;

import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.LinkedBlockingDeque;
import java.util.concurrent.LinkedTransferQueue;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.core.CollectionFactory;
import org.springframework.core.ResolvableType;
import org.springframework.util.LinkedMultiValueMap;

/**
 * Makes new collections and maps of a declared type.
 */
final class ContainerTypes {

	private static final Map<Class<?>, Supplier<Collection<Object>>> COLLECTIONS = collections();

	private static final Map<Class<?>, Supplier<Map<?, ?>>> MAPS = maps();

	private ContainerTypes() {
	}

	/**
	 * Return what makes a new, mutable collection that can stand for a declared type, or
	 * {@code null} if there is nothing that does.
	 */
	static @Nullable Supplier<Collection<Object>> collection(ResolvableType type) {
		Class<?> declared = type.toClass();
		if (isAbstract(declared)) {
			return forAbstract(declared, COLLECTIONS);
		}
		Class<?> element = type.asCollection().resolveGeneric(0);
		return proven(() -> CollectionFactory.createCollection(declared, element, 0));
	}

	/**
	 * Return what makes a new, mutable map that can stand for a declared type, or
	 * {@code null} if there is nothing that does.
	 */
	static @Nullable Supplier<Map<?, ?>> map(ResolvableType type) {
		Class<?> declared = type.toClass();
		if (isAbstract(declared)) {
			return forAbstract(declared, MAPS);
		}
		Class<?> key = type.asMap().resolveGeneric(0);
		return proven(() -> CollectionFactory.createMap(declared, key, 0));
	}

	private static boolean isAbstract(Class<?> type) {
		return Modifier.isAbstract(type.getModifiers()) && type != EnumSet.class;
	}

	private static <T> @Nullable Supplier<T> forAbstract(Class<?> declared, Map<Class<?>, Supplier<T>> candidates) {
		for (Map.Entry<Class<?>, Supplier<T>> candidate : candidates.entrySet()) {
			if (declared.isAssignableFrom(candidate.getKey())) {
				return candidate.getValue();
			}
		}
		return null;
	}

	private static <T> @Nullable Supplier<T> proven(Supplier<T> supplier) {
		try {
			supplier.get();
			return supplier;
		}
		catch (IllegalArgumentException ex) {
			return null;
		}
	}

	private static Map<Class<?>, Supplier<Collection<Object>>> collections() {
		Map<Class<?>, Supplier<Collection<Object>>> candidates = new LinkedHashMap<>();
		candidates.put(ArrayList.class, ArrayList::new);
		candidates.put(LinkedHashSet.class, LinkedHashSet::new);
		candidates.put(TreeSet.class, TreeSet::new);
		candidates.put(LinkedList.class, LinkedList::new);
		candidates.put(LinkedBlockingDeque.class, LinkedBlockingDeque::new);
		candidates.put(LinkedTransferQueue.class, LinkedTransferQueue::new);
		return candidates;
	}

	private static Map<Class<?>, Supplier<Map<?, ?>>> maps() {
		Map<Class<?>, Supplier<Map<?, ?>>> candidates = new LinkedHashMap<>();
		candidates.put(LinkedHashMap.class, LinkedHashMap::new);
		candidates.put(TreeMap.class, TreeMap::new);
		candidates.put(ConcurrentHashMap.class, ConcurrentHashMap::new);
		candidates.put(ConcurrentSkipListMap.class, ConcurrentSkipListMap::new);
		candidates.put(LinkedMultiValueMap.class, LinkedMultiValueMap::new);
		return candidates;
	}

}
