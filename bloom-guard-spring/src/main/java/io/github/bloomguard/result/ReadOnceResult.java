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

import java.util.Iterator;
import java.util.Set;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Consumer;
import java.util.stream.BaseStream;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import io.github.bloomguard.declaration.ReturnTypes;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ResolvableType;

/**
 * Watches results that can be read only once, while the caller reads them.
 */
public final class ReadOnceResult {

	private static final Set<Class<?>> TYPES = Set.of(Stream.class, IntStream.class, LongStream.class,
			DoubleStream.class, BaseStream.class, Iterator.class, Iterable.class);

	private ReadOnceResult() {
	}

	/**
	 * Return whether a result may be replaced by one that is watched.
	 */
	public static boolean isReplaceable(ResolvableType declared) {
		Class<?> type = declared.toClass();
		return TYPES.contains(ReturnTypes.isFuture(type) ? declared.getGeneric(0).toClass() : type);
	}

	/**
	 * Return a result that tells what is in it as soon as the caller sees it.
	 */
	public static @Nullable Object watch(@Nullable Object result, Consumer<ResultContent> content) {
		if (result instanceof Stream<?> stream) {
			return watched(stream, content);
		}
		if (result instanceof IntStream stream) {
			return watched(stream.boxed(), content).mapToInt(Integer::intValue);
		}
		if (result instanceof LongStream stream) {
			return watched(stream.boxed(), content).mapToLong(Long::longValue);
		}
		if (result instanceof DoubleStream stream) {
			return watched(stream.boxed(), content).mapToDouble(Double::doubleValue);
		}
		if (result instanceof Iterator<?> iterator) {
			return new WatchedIterator<>(iterator, content);
		}
		if (result instanceof Iterable<?> iterable && ResultContent.of(result) == ResultContent.UNKNOWN) {
			return watched(iterable, content);
		}
		return result;
	}

	private static <T> Stream<T> watched(Stream<T> stream, Consumer<ResultContent> content) {
		Iterator<T> elements = new WatchedIterator<>(stream.iterator(), content);
		return StreamSupport
			.stream(Spliterators.spliteratorUnknownSize(elements, Spliterator.ORDERED), stream.isParallel())
			.onClose(stream::close);
	}

	private static <T> Iterable<T> watched(Iterable<T> iterable, Consumer<ResultContent> content) {
		return () -> new WatchedIterator<>(iterable.iterator(), content);
	}

	private static final class WatchedIterator<T> implements Iterator<T> {

		private final Iterator<T> elements;

		private final Consumer<ResultContent> content;

		private boolean told;

		WatchedIterator(Iterator<T> elements, Consumer<ResultContent> content) {
			this.elements = elements;
			this.content = content;
		}

		@Override
		public boolean hasNext() {
			boolean next = this.elements.hasNext();
			tell(next ? ResultContent.PRESENT : ResultContent.EMPTY);
			return next;
		}

		@Override
		public T next() {
			T next = this.elements.next();
			tell(ResultContent.PRESENT);
			return next;
		}

		@Override
		public void remove() {
			this.elements.remove();
		}

		private void tell(ResultContent content) {
			if (!this.told) {
				this.told = true;
				this.content.accept(content);
			}
		}

	}

}
