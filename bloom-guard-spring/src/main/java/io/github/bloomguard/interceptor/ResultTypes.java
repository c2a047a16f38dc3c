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

import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Future;
import java.util.stream.BaseStream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.StringUtils;

final class ResultTypes {

	private static final String HTTP_ENTITY = "org.springframework.http.HttpEntity";

	private ResultTypes() {
	}

	static void checkReadable(Declaration declaration, ResolvableType type) {
		ReactiveAdapter adapter = adapter(type.toClass());
		if (isNothing(content(type).toClass()) || (adapter != null && adapter.isNoValue())) {
			throw declaration.invalid("returns " + type + ", so there is nothing that the guard could leave out",
					"guard a method that looks something up and returns it");
		}
	}

	static void checkEmpty(Declaration declaration, ResolvableType type) {
		Class<?> declared = type.toClass();
		if (declared == char.class) {
			throw declaration.invalid("returns " + type + ", which has no empty value",
					"return " + nullable(declaration.method(), declared) + EmptyValue.OR_MISSING);
		}
		if (isHttpEntity(content(type).toClass())) {
			throw declaration.invalid("returns " + type + ", and an empty one is an answer with status 200",
					"guard the method that it calls to look something up" + EmptyValue.OR_MISSING);
		}
		ReactiveAdapter adapter = adapter(declared);
		if (adapter != null && !adapter.supportsEmpty()) {
			throw declaration.invalid("returns " + type + ", which can't be empty",
					"return a type that can, such as Maybe or Mono" + EmptyValue.OR_MISSING);
		}
	}

	private static boolean isHttpEntity(@Nullable Class<?> type) {
		return type != null && (type.getName().equals(HTTP_ENTITY) || isHttpEntity(type.getSuperclass()));
	}

	static Object zero(Class<?> primitive) {
		return Array.get(Array.newInstance(primitive, 1), 0);
	}

	static String nullable(AnnotatedMethod method, Class<?> type) {
		Class<?> primitive = MethodType.methodType(type).unwrap().returnType();
		return method.isKotlin() ? StringUtils.capitalize(primitive.getSimpleName()) + "?"
				: ClassUtils.resolvePrimitiveIfNecessary(type).getSimpleName() + " (then null) or an Optional";
	}

	static void checkObservable(Declaration declaration, ResolvableType type) {
		Class<?> declared = type.toClass();
		if (isFuture(declared) && !(CompletionStage.class.isAssignableFrom(declared)
				&& declared.isAssignableFrom(CompletableFuture.class))) {
			throw declaration.invalid("returns " + declared.getName() + ", after which nothing can be added in time",
					"return CompletableFuture instead");
		}
	}

	static boolean isSingle(ResolvableType type) {
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

	private static ResolvableType content(ResolvableType type) {
		boolean later = isFuture(type.toClass()) || isReactive(type);
		return later ? type.getGeneric(0) : type;
	}

	static ResolvableType result(ResolvableType type) {
		ResolvableType content = content(type);
		return (content.toClass() == Optional.class) ? content.getGeneric(0) : content;
	}

	static boolean isNothing(Class<?> type) {
		return type == void.class || type == Void.class;
	}

	static boolean isReactive(ResolvableType type) {
		return adapter(type.toClass()) != null;
	}

	static @Nullable ReactiveAdapter adapter(Class<?> type) {
		return ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
	}

	static boolean isFuture(Class<?> type) {
		return CompletionStage.class.isAssignableFrom(type) || Future.class.isAssignableFrom(type);
	}

}
