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

import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;

/**
 * What return types mean.
 */
public final class ReturnTypes {

	private ReturnTypes() {
	}

	/**
	 * Return whether one thing is found rather than many.
	 */
	public static boolean isSingle(ResolvableType type) {
		Class<?> declared = type.toClass();
		ReactiveAdapter adapter = adapter(declared);
		if (adapter != null && adapter.isMultiValue()) {
			return false;
		}
		if (adapter != null || isFuture(declared)) {
			return isSingle(type.getGeneric(0));
		}
		return !(declared.isArray() || Iterable.class.isAssignableFrom(declared) || Map.class.isAssignableFrom(declared)
				|| BaseStream.class.isAssignableFrom(declared) || Iterator.class.isAssignableFrom(declared));
	}

	/**
	 * Return the type of what a future or a publisher brings, or else the type itself.
	 */
	public static ResolvableType content(ResolvableType type) {
		boolean later = isFuture(type.toClass()) || isReactive(type);
		return later ? type.getGeneric(0) : type;
	}

	/**
	 * Return the type of what is found, without a future or an {@code Optional} of it.
	 */
	static ResolvableType result(ResolvableType type) {
		ResolvableType content = content(type);
		return (content.toClass() == Optional.class) ? content.getGeneric(0) : content;
	}

	public static boolean isNothing(Class<?> type) {
		return type == void.class || type == Void.class;
	}

	public static boolean isReactive(ResolvableType type) {
		return adapter(type.toClass()) != null;
	}

	public static @Nullable ReactiveAdapter adapter(Class<?> type) {
		return ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
	}

	public static boolean isFuture(Class<?> type) {
		return CompletionStage.class.isAssignableFrom(type) || Future.class.isAssignableFrom(type);
	}

}
