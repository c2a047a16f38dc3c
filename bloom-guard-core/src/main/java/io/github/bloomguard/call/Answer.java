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

import org.jspecify.annotations.Nullable;

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
	 * Return an answer that is found in one of two ways.
	 * @param waiting waits on the calling thread
	 * @param following does not wait
	 */
	public static <T> Answer<T> of(Supplier<T> waiting, Supplier<CompletableFuture<T>> following) {
		return new Asked<>(waiting, following);
	}

	/**
	 * Return the answer that a future brings, however long that takes.
	 */
	public static <T> Answer<T> from(CompletableFuture<T> future) {
		return of(() -> join(future), () -> future);
	}

	private static <T> T join(CompletableFuture<T> future) {
		try {
			return future.join();
		}
		catch (CompletionException ex) {
			throw (ex.getCause() instanceof RuntimeException cause) ? cause : ex;
		}
	}

	/**
	 * Wait on this thread.
	 */
	public abstract T await();

	/**
	 * Return the answer if it is known already, {@code null} otherwise. What is done with
	 * it at once needs no function, which would cost each call memory.
	 */
	public abstract @Nullable T known();

	/**
	 * Follow without waiting.
	 */
	public abstract CompletableFuture<T> future();

	/**
	 * Return the answer of a next question, which is asked when this one is known.
	 */
	public <U> Answer<U> then(Function<? super T, Answer<U>> next) {
		return of(() -> next.apply(await()).await(), () -> future().thenCompose((value) -> next.apply(value).future()));
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
		return of(() -> {
			try {
				return await();
			}
			catch (RuntimeException ex) {
				return value.apply(ex);
			}
		}, () -> future().exceptionally(value));
	}

	/**
	 * Return an answer that reaches its followers in another way, such as on another
	 * thread, if it is not known yet.
	 */
	public Answer<T> via(UnaryOperator<CompletableFuture<T>> way) {
		return of(this::await, () -> way.apply(future()));
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
		public T known() {
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
		public Answer<T> via(UnaryOperator<CompletableFuture<T>> way) {
			return this;
		}

	}

	private static final class Asked<T> extends Answer<T> {

		private final Supplier<T> waiting;

		private final Supplier<CompletableFuture<T>> following;

		Asked(Supplier<T> waiting, Supplier<CompletableFuture<T>> following) {
			this.waiting = waiting;
			this.following = following;
		}

		@Override
		public T await() {
			return this.waiting.get();
		}

		@Override
		public @Nullable T known() {
			return null;
		}

		@Override
		public CompletableFuture<T> future() {
			return this.following.get();
		}

	}

}
