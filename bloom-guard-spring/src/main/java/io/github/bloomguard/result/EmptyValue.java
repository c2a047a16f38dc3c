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

import java.lang.invoke.MethodType;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
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

import io.github.bloomguard.declaration.AnnotatedMethod;
import io.github.bloomguard.declaration.Declaration;
import io.github.bloomguard.declaration.OptionalLibrary;
import io.github.bloomguard.declaration.ReturnTypes;
import io.github.bloomguard.declaration.TypeHierarchy;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.StringUtils;

/**
 * Answer to a call that can't find anything.
 */
@FunctionalInterface
interface EmptyValue {

	Map<Class<?>, Supplier<?>> FIXED = Map.of(Optional.class, Optional::empty, OptionalInt.class, OptionalInt::empty,
			OptionalLong.class, OptionalLong::empty, OptionalDouble.class, OptionalDouble::empty, Stream.class,
			Stream::empty, BaseStream.class, Stream::empty, IntStream.class, IntStream::empty, LongStream.class,
			LongStream::empty, DoubleStream.class, DoubleStream::empty, Iterator.class, Collections::emptyIterator);

	String HTTP_ENTITY = "org.springframework.http.HttpEntity";

	EmptyValue NULL = (arguments) -> null;

	String OR_MISSING = ", or name an exception to throw, such as missing = NotFoundException.class";

	@Nullable Object get(@Nullable Object[] arguments);

	default Object fail(RuntimeException exception) {
		throw exception;
	}

	/**
	 * @param thrown whether an exception stands for nothing, whatever the type is
	 */
	static EmptyValue of(Declaration declaration, boolean thrown) {
		ResolvableType type = declaration.method().returnType();
		checkReadable(declaration, type);
		return !thrown ? of(declaration, type)
				: ReturnTypes.isFuture(type.toClass()) ? future(declaration, type.toClass(), NULL) : NULL;
	}

	/**
	 * The empty value of a reactive type is an element that isn't there.
	 */
	private static EmptyValue of(Declaration declaration, ResolvableType type) {
		checkEmpty(declaration, type);
		Class<?> declared = type.toClass();
		if (isResponse(type)) {
			return (arguments) -> Responses.notFound();
		}
		if (isZero(declaration.method(), declared)) {
			Object zero = Array.get(Array.newInstance(unboxed(declared), 1), 0);
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
		if (ReturnTypes.isFuture(declared)) {
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

	/**
	 * Return whether the value has a status, also if a reactive type brings it.
	 */
	private static boolean isResponse(ResolvableType type) {
		ReactiveAdapter adapter = ReturnTypes.adapter(type.toClass());
		boolean one = adapter == null || !(adapter.isMultiValue() || ReturnTypes.isFuture(type.toClass()));
		return one && Responses.are((adapter != null) ? type.getGeneric(0).toClass() : type.toClass());
	}

	/**
	 * Return whether the empty value is {@code 0} or {@code false}: that of a primitive
	 * type, and of a boxed one if {@code null} can't be meant.
	 */
	private static boolean isZero(AnnotatedMethod method, Class<?> declared) {
		String name = method.name();
		if (declared.isPrimitive()) {
			return true;
		}
		return (declared == Boolean.class) ? ZeroResult.asksForExistence(name)
				: ClassUtils.isPrimitiveWrapper(declared) && ZeroResult.isCount(name);
	}

	private static Class<?> unboxed(Class<?> type) {
		return MethodType.methodType(type).unwrap().returnType();
	}

	private static void checkReadable(Declaration declaration, ResolvableType type) {
		ReactiveAdapter adapter = ReturnTypes.adapter(type.toClass());
		if (ReturnTypes.isNothing(ReturnTypes.content(type).toClass()) || (adapter != null && adapter.isNoValue())) {
			throw declaration.invalid("returns " + type + ", so there is nothing that the guard could leave out",
					"guard a method that looks something up and returns it");
		}
	}

	private static void checkEmpty(Declaration declaration, ResolvableType type) {
		Class<?> declared = type.toClass();
		if (declared == char.class) {
			throw declaration.invalid("returns " + type + ", which has no empty value",
					"return " + nullable(declaration.method(), declared) + OR_MISSING);
		}
		if (declared.isPrimitive()) {
			checkZero(declaration, declared);
		}
		if (!isResponse(ReturnTypes.isFuture(declared) ? ReturnTypes.content(type) : type)
				&& TypeHierarchy.of(ReturnTypes.content(type).toClass())
					.anyMatch((found) -> found.getName().equals(HTTP_ENTITY))) {
			throw declaration.invalid("returns " + type + ", and an empty one is an answer with status 200",
					"guard the method that it calls to look something up" + OR_MISSING);
		}
		ReactiveAdapter adapter = ReturnTypes.adapter(declared);
		if (adapter != null && !adapter.supportsEmpty()) {
			throw declaration.invalid("returns " + type + ", which can't be empty",
					"return a type that can, such as Maybe or Mono" + OR_MISSING);
		}
	}

	private static void checkZero(Declaration declaration, Class<?> declared) {
		AnnotatedMethod method = declaration.method();
		String otherwise = "return " + nullable(method, declared) + OR_MISSING;
		if (declared == boolean.class) {
			if (ZeroResult.asksForAbsence(method.name())) {
				throw declaration.invalid("returns " + declared + ", and false for an absent key says that it is there",
						"guard a method that asks whether it is, such as exists, and negate what that returns; or "
								+ otherwise);
			}
		}
		else if (!ZeroResult.isCount(method.name())) {
			throw declaration.invalid(
					"returns " + declared + ", and 0 for an absent key may be wrong, as a price it would be",
					otherwise + "; if 0 is how many there are, let the name of the method begin with count");
		}
	}

	private static String nullable(AnnotatedMethod method, Class<?> type) {
		Class<?> primitive = unboxed(type);
		return method.isKotlin() ? StringUtils.capitalize(primitive.getSimpleName()) + "?"
				: ClassUtils.resolvePrimitiveIfNecessary(type).getSimpleName() + " (then null) or an Optional";
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

}
