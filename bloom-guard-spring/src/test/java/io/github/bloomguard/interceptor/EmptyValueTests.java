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

import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Deque;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Queue;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.result.ResultContent;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@code EmptyValue} and {@link ResultContent}, by calls of guarded methods.
 */
class EmptyValueTests {

	private static GuardContext context;

	private static Everything bean;

	@BeforeAll
	static void start() {
		context = GuardContext.of(EverythingBean.class);
		bean = context.bean(Everything.class);
		context.products().absent("absent");
	}

	@AfterAll
	static void close() {
		context.close();
	}

	static List<String> methods() {
		return Arrays.stream(Everything.class.getMethods()).map(Method::getName).sorted().toList();
	}

	private static @Nullable Object call(String name, String key) {
		Method method = ReflectionUtils.findMethod(Everything.class, name, String.class);
		ReflectionUtils.makeAccessible(method);
		return ReflectionUtils.invokeMethod(method, bean, key);
	}

	@ParameterizedTest
	@MethodSource("methods")
	void absentKeyGivesTheEmptyValueOfTheReturnType(String method) {
		Object value = content(call(method, "absent"));
		if (value instanceof Stream<?> stream) {
			assertThat(stream).isEmpty();
		}
		else if (value instanceof IntStream stream) {
			assertThat(stream).isEmpty();
		}
		else if (value instanceof LongStream stream) {
			assertThat(stream).isEmpty();
		}
		else if (value instanceof DoubleStream stream) {
			assertThat(stream).isEmpty();
		}
		else if (value instanceof Iterator<?> iterator) {
			assertThat(iterator).isExhausted();
		}
		else if (value instanceof Model<?> model) {
			assertThat(model).isEmpty();
		}
		else {
			assertThat(ResultContent.of(value)).as("%s", value).isEqualTo(ResultContent.EMPTY);
		}
	}

	private static @Nullable Object content(@Nullable Object value) {
		return (value instanceof CompletableFuture<?> future) ? future.getNow(null) : value;
	}

	@ParameterizedTest
	@ValueSource(strings = { "collection", "iterable", "list", "set", "sortedSet", "navigableSet", "queue", "deque",
			"blockingQueue", "arrayList", "linkedList", "arrayDeque", "copyOnWrite", "futureOfList", "custom" })
	@SuppressWarnings("unchecked")
	void emptyCollectionIsNewAndMutable(String method) {
		Collection<Object> first = (Collection<Object>) content(call(method, "absent"));
		first.add("x");
		assertThat((Collection<Object>) content(call(method, "absent"))).isEmpty();
	}

	@ParameterizedTest
	@ValueSource(strings = { "map", "sortedMap", "navigableMap", "concurrentMap", "multiValueMap", "hashMap" })
	@SuppressWarnings({ "unchecked", "rawtypes" })
	void emptyMapIsNewAndMutable(String method) {
		Map first = (Map) call(method, "absent");
		first.put("x", List.of());
		assertThat((Map) call(method, "absent")).isEmpty();
	}

	@Test
	void futureOfAnythingElseIsCompletedWithNull() {
		assertThat(bean.futureOfString("absent")).isCompletedWithValue(null);
		assertThat(bean.futureOfOptional("absent")).isCompletedWithValue(Optional.empty());
		assertThat(bean.stage("absent").toCompletableFuture()).isCompletedWithValue(null);
	}

	static List<Arguments> results() {
		CompletableFuture<Object> pending = new CompletableFuture<>();
		return List.of(Arguments.of(null, ResultContent.EMPTY), Arguments.of("", ResultContent.PRESENT),
				Arguments.of(Optional.empty(), ResultContent.EMPTY),
				Arguments.of(Optional.of("x"), ResultContent.PRESENT),
				Arguments.of(Optional.of(List.of()), ResultContent.EMPTY),
				Arguments.of(OptionalInt.empty(), ResultContent.EMPTY),
				Arguments.of(OptionalInt.of(0), ResultContent.PRESENT),
				Arguments.of(OptionalLong.empty(), ResultContent.EMPTY),
				Arguments.of(OptionalLong.of(0), ResultContent.PRESENT),
				Arguments.of(OptionalDouble.empty(), ResultContent.EMPTY),
				Arguments.of(OptionalDouble.of(0), ResultContent.PRESENT), Arguments.of(List.of(), ResultContent.EMPTY),
				Arguments.of(List.of(1), ResultContent.PRESENT), Arguments.of(Map.of(), ResultContent.EMPTY),
				Arguments.of(Map.of(1, 1), ResultContent.PRESENT), Arguments.of(new int[0], ResultContent.EMPTY),
				Arguments.of(new int[1], ResultContent.PRESENT), Arguments.of(new String[0], ResultContent.EMPTY),
				Arguments.of(Stream.of(), ResultContent.UNKNOWN),
				Arguments.of(List.of().iterator(), ResultContent.UNKNOWN), Arguments.of(pending, ResultContent.UNKNOWN),
				Arguments.of(new BitSet(), ResultContent.PRESENT));
	}

	@ParameterizedTest
	@MethodSource("results")
	void emptinessIsToldByTheResult(@Nullable Object result, ResultContent expected) {
		assertThat(ResultContent.of(result)).isEqualTo(expected);
	}

	@Test
	void streamThatGoesThroughIsNeitherUsedUpNorReported() {
		context.products().loaded().clear();
		assertThat(bean.stream("s")).containsExactly("x");
		assertThat(bean.iterator("i")).toIterable().containsExactly("x");
		assertThat(context.products().loaded()).isEmpty();
	}

	@Test
	void plainFutureIsReportedIfItTellsWhenItIsComplete() {
		context.products().loaded().clear();
		bean.future("f");
		assertThat(context.products().loaded()).containsExactly("f MAYBE found");
	}

	/**
	 * Like Spring HATEOAS' {@code CollectionModel}.
	 */
	interface Model<T> extends Iterable<T> {

		static <T> Model<T> empty() {
			return () -> List.<T>of().iterator();
		}

	}

	static class Custom<T> extends ArrayList<T> {

	}

	interface Everything {

		Object object(String key);

		@Nullable String string(String key);

		@Nullable Integer boxed(String key);

		Optional<String> optional(String key);

		OptionalInt optionalInt(String key);

		OptionalLong optionalLong(String key);

		OptionalDouble optionalDouble(String key);

		Collection<Object> collection(String key);

		Iterable<Object> iterable(String key);

		List<Object> list(String key);

		Set<Object> set(String key);

		SortedSet<Object> sortedSet(String key);

		NavigableSet<Object> navigableSet(String key);

		Queue<Object> queue(String key);

		Deque<Object> deque(String key);

		BlockingQueue<Object> blockingQueue(String key);

		ArrayList<Object> arrayList(String key);

		LinkedList<Object> linkedList(String key);

		ArrayDeque<Object> arrayDeque(String key);

		CopyOnWriteArrayList<Object> copyOnWrite(String key);

		EnumSet<TimeUnit> enumSet(String key);

		Custom<Object> custom(String key);

		Map<Object, Object> map(String key);

		SortedMap<Object, Object> sortedMap(String key);

		NavigableMap<Object, Object> navigableMap(String key);

		ConcurrentMap<Object, Object> concurrentMap(String key);

		MultiValueMap<Object, Object> multiValueMap(String key);

		LinkedMultiValueMap<Object, Object> linkedMultiValueMap(String key);

		HashMap<Object, Object> hashMap(String key);

		EnumMap<TimeUnit, Object> enumMap(String key);

		String[] array(String key);

		List<String>[] genericArray(String key);

		int[][] primitiveArray(String key);

		Stream<String> stream(String key);

		IntStream intStream(String key);

		LongStream longStream(String key);

		DoubleStream doubleStream(String key);

		Iterator<String> iterator(String key);

		Model<String> model(String key);

		CompletableFuture<String> futureOfString(String key);

		CompletableFuture<List<Object>> futureOfList(String key);

		CompletableFuture<? extends Map<String, String>> futureOfMap(String key);

		CompletableFuture<Optional<String>> futureOfOptional(String key);

		CompletableFuture<String[]> futureOfArray(String key);

		CompletableFuture<Stream<String>> futureOfStream(String key);

		CompletionStage<String> stage(String key);

		Future<String> future(String key);

	}

	/**
	 * Is asked for absent keys, mostly.
	 */
	@BloomGuarded("products")
	static class EverythingBean implements Everything {

		@Override
		public @Nullable Object object(String key) {
			return key;
		}

		@Override
		public @Nullable String string(String key) {
			return key;
		}

		@Override
		public @Nullable Integer boxed(String key) {
			return 1;
		}

		@Override
		public Optional<String> optional(String key) {
			return Optional.of(key);
		}

		@Override
		public OptionalInt optionalInt(String key) {
			return OptionalInt.of(1);
		}

		@Override
		public OptionalLong optionalLong(String key) {
			return OptionalLong.of(1);
		}

		@Override
		public OptionalDouble optionalDouble(String key) {
			return OptionalDouble.of(1);
		}

		@Override
		public Collection<Object> collection(String key) {
			return List.of(key);
		}

		@Override
		public Iterable<Object> iterable(String key) {
			return List.of(key);
		}

		@Override
		public List<Object> list(String key) {
			return List.of(key);
		}

		@Override
		public Set<Object> set(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public SortedSet<Object> sortedSet(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public NavigableSet<Object> navigableSet(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Queue<Object> queue(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Deque<Object> deque(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public BlockingQueue<Object> blockingQueue(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public ArrayList<Object> arrayList(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public LinkedList<Object> linkedList(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public ArrayDeque<Object> arrayDeque(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CopyOnWriteArrayList<Object> copyOnWrite(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public EnumSet<TimeUnit> enumSet(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Custom<Object> custom(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Map<Object, Object> map(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public SortedMap<Object, Object> sortedMap(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public NavigableMap<Object, Object> navigableMap(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public ConcurrentMap<Object, Object> concurrentMap(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public MultiValueMap<Object, Object> multiValueMap(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public LinkedMultiValueMap<Object, Object> linkedMultiValueMap(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public HashMap<Object, Object> hashMap(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public EnumMap<TimeUnit, Object> enumMap(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public String[] array(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public List<String>[] genericArray(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public int[][] primitiveArray(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public IntStream intStream(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public LongStream longStream(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public DoubleStream doubleStream(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Model<String> model(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletableFuture<String> futureOfString(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletableFuture<List<Object>> futureOfList(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletableFuture<? extends Map<String, String>> futureOfMap(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletableFuture<Optional<String>> futureOfOptional(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletableFuture<String[]> futureOfArray(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletableFuture<Stream<String>> futureOfStream(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public CompletionStage<String> stage(String key) {
			throw new UnsupportedOperationException();
		}

		@Override
		public Stream<String> stream(String key) {
			return Stream.of("x");
		}

		@Override
		public Iterator<String> iterator(String key) {
			return List.of("x").iterator();
		}

		@Override
		public Future<String> future(String key) {
			return CompletableFuture.completedFuture(key);
		}

	}

}
