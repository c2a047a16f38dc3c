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

package io.github.bloomguard.declaration;

import java.util.LinkedHashSet;
import java.util.Set;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

/**
 * What a type inherits from.
 */
public final class TypeHierarchy {

	private TypeHierarchy() {
	}

	/**
	 * Return a type, its superclasses, and all interfaces, also those of interfaces.
	 */
	public static Stream<Class<?>> of(Class<?> type) {
		Set<Class<?>> types = new LinkedHashSet<>();
		add(type, types);
		return types.stream();
	}

	private static void add(@Nullable Class<?> type, Set<Class<?>> types) {
		if (type != null && types.add(type)) {
			add(type.getSuperclass(), types);
			for (Class<?> implemented : type.getInterfaces()) {
				add(implemented, types);
			}
		}
	}

}
