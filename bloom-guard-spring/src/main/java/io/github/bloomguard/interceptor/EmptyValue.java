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

import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.BaseStream;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;
import org.springframework.data.domain.OffsetScrollPosition;
import org.springframework.data.domain.Page;
import org.springframework.data.domain.Pageable;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Slice;
import org.springframework.data.domain.SliceImpl;
import org.springframework.data.domain.Window;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;

/**
 * Answer to a call that can't find anything.
 */
@FunctionalInterface
interface EmptyValue {

	Map<Class<?>, Supplier<?>> FIXED = Map.of(Optional.class, Optional::empty, OptionalInt.class, OptionalInt::empty,
			OptionalLong.class, OptionalLong::empty, OptionalDouble.class, OptionalDouble::empty, Stream.class,
			Stream::empty, BaseStream.class, Stream::empty, IntStream.class, IntStream::empty, LongStream.class,
			LongStream::empty, DoubleStream.class, DoubleStream::empty, Iterator.class, Collections::emptyIterator);

	EmptyValue NULL = (arguments) -> null;

	String OR_MISSING = ", or name an exception to throw, such as missing = NotFoundException.class";

	@Nullable Object get(@Nullable Object[] arguments);

	default Object fail(RuntimeException exception) {
		throw exception;
	}

	static EmptyValue never(Declaration declaration, ResolvableType type) {
		return ResultTypes.isFuture(type.toClass()) ? future(declaration, type.toClass(), NULL) : NULL;
	}

	/**
	 * The empty value of a reactive type is an element that isn't there.
	 */
	static EmptyValue of(Declaration declaration, ResolvableType type) {
		ResultTypes.checkEmpty(declaration, type);
		Class<?> declared = type.toClass();
		if (declared.isPrimitive()) {
			Object zero = ResultTypes.zero(declared);
			return (arguments) -> zero;
		}
		EmptyValue fixed = independent(FIXED.get(declared));
		if (fixed != null) {
			return fixed;
		}
		if (declared.isArray()) {
			Object array = Array.newInstance(declared.getComponentType(), 0);
			return (arguments) -> array;
		}
		if (ResultTypes.isFuture(declared)) {
			return future(declaration, declared, of(declaration, type.getGeneric(0)));
		}
		if (Map.class.isAssignableFrom(declared)) {
			return orFactory(declaration, declared, independent(EmptyContainers.map(type)));
		}
		if (declared == Iterable.class || Collection.class.isAssignableFrom(declared)) {
			return orFactory(declaration, declared, independent(EmptyContainers.collection(type)));
		}
		if (OptionalLibrary.SPRING_DATA.isPresent() && Pages.isPage(declared)) {
			return orFactory(declaration, declared, Pages.of(declared));
		}
		EmptyValue made = Iterable.class.isAssignableFrom(declared) ? factory(declared) : null;
		return (made != null) ? made : NULL;
	}

	private static EmptyValue future(Declaration declaration, Class<?> declared, EmptyValue content) {
		if (!declared.isAssignableFrom(CompletableFuture.class)) {
			throw declaration.invalid("returns " + declared.getName() + ", of which the guard can't make one",
					"return CompletableFuture instead");
		}
		return new Completed(content);
	}

	private static @Nullable EmptyValue independent(@Nullable Supplier<?> supplier) {
		return (supplier != null) ? (arguments) -> supplier.get() : null;
	}

	private static EmptyValue orFactory(Declaration declaration, Class<?> declared, @Nullable EmptyValue empty) {
		EmptyValue made = (empty != null) ? empty : factory(declared);
		if (made == null) {
			throw declaration.invalid("returns " + declared.getName() + ", of which the guard can't make an empty one",
					"return an interface such as List, Set or Map, or a class that has a constructor without parameters"
							+ OR_MISSING);
		}
		return made;
	}

	/**
	 * Immutable collections make an empty one by {@code empty()} or {@code of()}.
	 */
	private static @Nullable EmptyValue factory(Class<?> declared) {
		for (String name : new String[] { "empty", "of" }) {
			Method method = ClassUtils.getMethodIfAvailable(declared, name);
			if (method != null && Modifier.isStatic(method.getModifiers())
					&& declared.isAssignableFrom(method.getReturnType())) {
				ReflectionUtils.makeAccessible(method);
				return (arguments) -> ReflectionUtils.invokeMethod(method, null);
			}
		}
		return null;
	}

	record Completed(EmptyValue content) implements EmptyValue {

		@Override
		public Object get(@Nullable Object[] arguments) {
			return CompletableFuture.completedFuture(this.content.get(arguments));
		}

		@Override
		public Object fail(RuntimeException exception) {
			return CompletableFuture.failedFuture(exception);
		}

	}

	/**
	 * Empty pages for the given {@code Pageable}. Only this needs Spring Data.
	 */
	final class Pages {

		private Pages() {
		}

		static boolean isPage(Class<?> type) {
			return Slice.class.isAssignableFrom(type) || Window.class.isAssignableFrom(type);
		}

		static @Nullable EmptyValue of(Class<?> declared) {
			if (declared == Window.class) {
				return (arguments) -> Window.from(List.of(), OffsetScrollPosition.positionFunction(0));
			}
			if (declared.isAssignableFrom(SliceImpl.class)) {
				return (arguments) -> new SliceImpl<>(List.of(), pageable(arguments), false);
			}
			return (declared == Page.class) ? (arguments) -> Page.empty(pageable(arguments)) : null;
		}

		/**
		 * A page that is not the first is empty too where others are not.
		 */
		static ResultContent content(Object result, @Nullable Object[] arguments) {
			if (result instanceof Page<?> page) {
				return (page.hasContent() || page.getTotalElements() > 0) ? ResultContent.PRESENT : ResultContent.EMPTY;
			}
			if (result instanceof Slice<?> slice) {
				return content(slice.hasContent(), !slice.hasPrevious());
			}
			boolean first = Arrays.stream(arguments)
				.noneMatch((argument) -> argument instanceof ScrollPosition position && !position.isInitial());
			return content(!((Window<?>) result).isEmpty(), first);
		}

		private static ResultContent content(boolean found, boolean first) {
			return found ? ResultContent.PRESENT : first ? ResultContent.EMPTY : ResultContent.UNKNOWN;
		}

		private static Pageable pageable(@Nullable Object[] arguments) {
			return Arrays.stream(arguments)
				.filter(Pageable.class::isInstance)
				.map(Pageable.class::cast)
				.findFirst()
				.orElseGet(Pageable::unpaged);
		}

	}

}
