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

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.LinkedList;
import java.util.List;
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
 * Makes new collections and maps of a declared type. {@link CollectionFactory} does so
 * for fewer interfaces, and makes a set for a {@code Collection}.
 */
public final class EmptyContainers {

	private static final List<Class<?>> COLLECTIONS = List.of(ArrayList.class, LinkedHashSet.class, TreeSet.class,
			LinkedList.class, LinkedBlockingDeque.class, LinkedTransferQueue.class);

	private static final List<Class<?>> MAPS = List.of(LinkedHashMap.class, TreeMap.class, ConcurrentHashMap.class,
			ConcurrentSkipListMap.class, LinkedMultiValueMap.class);

	private EmptyContainers() {
	}

	/**
	 * Return {@code null} if none can be made.
	 */
	public static @Nullable Supplier<Collection<Object>> collection(ResolvableType type) {
		Class<?> made = made(type.toClass(), COLLECTIONS);
		Class<?> element = type.asCollection().resolveGeneric(0);
		return proven(() -> CollectionFactory.createCollection(made, element, 0));
	}

	static @Nullable Supplier<Map<?, ?>> map(ResolvableType type) {
		Class<?> made = made(type.toClass(), MAPS);
		Class<?> key = type.asMap().resolveGeneric(0);
		return proven(() -> CollectionFactory.createMap(made, key, 0));
	}

	private static Class<?> made(Class<?> declared, List<Class<?>> candidates) {
		return candidates.stream().filter(declared::isAssignableFrom).findFirst().orElse(declared);
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

}
