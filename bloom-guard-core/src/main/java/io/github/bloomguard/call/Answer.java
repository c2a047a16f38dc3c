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

package io.github.bloomguard.call;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * An answer that a caller waits for, or follows. What memory can tell is
 * {@linkplain #of(Object) known} at once, and costs neither. How long it may take is the
 * affair of who answers: callers need no timeout. It is waited for or followed once: what
 * comes {@linkplain #then after it} is done each time.
 *
 * @param <T> the type of what is answered
 */
public abstract class Answer<T> {

	public static <T> Answer<T> of(T value) {
		return new Known<>(value);
	}

	/**
	 * Return the answer that a future brings, however long that takes.
	 */
	public static <T> Answer<T> from(CompletableFuture<T> future) {
		return new Future<>(future);
	}

	/**
	 * Wait on this thread.
	 */
	public abstract T await();

	/**
	 * Follow without waiting.
	 */
	public abstract CompletableFuture<T> future();

	/**
	 * Return the answer of a next question, which is asked when this one is known.
	 */
	public <U> Answer<U> then(Function<? super T, Answer<U>> next) {
		return new Next<>(this, next);
	}

	public <U> Answer<U> map(Function<? super T, ? extends U> function) {
		return then((value) -> of(function.apply(value)));
	}

	/**
	 * Return this answer, or another one in its place.
	 * @param wrong which values are replaced
	 */
	public Answer<T> replaceIf(Predicate<? super T> wrong, Supplier<Answer<T>> other) {
		return then((value) -> wrong.test(value) ? other.get() : of(value));
	}

	/**
	 * Return an answer that takes a value for a failure of this one.
	 */
	public Answer<T> recover(Function<Throwable, T> value) {
		return new Recovering<>(this, value);
	}

	/**
	 * Return an answer that reaches its followers in another way, such as on another
	 * thread, if it is not known yet.
	 */
	public Answer<T> via(UnaryOperator<CompletableFuture<T>> way) {
		return new Relayed<>(this, way);
	}

	private static final class Known<T> extends Answer<T> {

		private final T value;

		Known(T value) {
			this.value = value;
		}

		@Override
		public T await() {
			return this.value;
		}

		@Override
		public CompletableFuture<T> future() {
			return CompletableFuture.completedFuture(this.value);
		}

		@Override
		public <U> Answer<U> then(Function<? super T, Answer<U>> next) {
			return next.apply(this.value);
		}

		@Override
		@SuppressWarnings("unchecked") // it has the value that is asked for
		public <U> Answer<U> map(Function<? super T, ? extends U> function) {
			U mapped = function.apply(this.value);
			return (mapped == this.value) ? (Answer<U>) this : of(mapped);
		}

		@Override
		public Answer<T> replaceIf(Predicate<? super T> wrong, Supplier<Answer<T>> other) {
			return wrong.test(this.value) ? other.get() : this;
		}

		@Override
		public Answer<T> recover(Function<Throwable, T> value) {
			return this;
		}

		@Override
		public Answer<T> via(UnaryOperator<CompletableFuture<T>> way) {
			return this;
		}

	}

	private static final class Future<T> extends Answer<T> {

		private final CompletableFuture<T> future;

		Future(CompletableFuture<T> future) {
			this.future = future;
		}

		@Override
		public T await() {
			try {
				return this.future.join();
			}
			catch (CompletionException ex) {
				throw (ex.getCause() instanceof RuntimeException cause) ? cause : ex;
			}
		}

		@Override
		public CompletableFuture<T> future() {
			return this.future;
		}

	}

	private static final class Next<F, T> extends Answer<T> {

		private final Answer<F> first;

		private final Function<? super F, Answer<T>> next;

		Next(Answer<F> first, Function<? super F, Answer<T>> next) {
			this.first = first;
			this.next = next;
		}

		@Override
		public T await() {
			return this.next.apply(this.first.await()).await();
		}

		@Override
		public CompletableFuture<T> future() {
			return this.first.future().thenCompose((value) -> this.next.apply(value).future());
		}

	}

	private static final class Recovering<T> extends Answer<T> {

		private final Answer<T> answer;

		private final Function<Throwable, T> value;

		Recovering(Answer<T> answer, Function<Throwable, T> value) {
			this.answer = answer;
			this.value = value;
		}

		@Override
		public T await() {
			try {
				return this.answer.await();
			}
			catch (RuntimeException ex) {
				return this.value.apply(ex);
			}
		}

		@Override
		public CompletableFuture<T> future() {
			return this.answer.future().exceptionally(this.value);
		}

	}

	private static final class Relayed<T> extends Answer<T> {

		private final Answer<T> answer;

		private final UnaryOperator<CompletableFuture<T>> way;

		Relayed(Answer<T> answer, UnaryOperator<CompletableFuture<T>> way) {
			this.answer = answer;
			this.way = way;
		}

		@Override
		public T await() {
			return this.answer.await();
		}

		@Override
		public CompletableFuture<T> future() {
			return this.way.apply(this.answer.future());
		}

	}

}
