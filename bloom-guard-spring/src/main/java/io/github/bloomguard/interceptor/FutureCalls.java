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

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;

import io.github.bloomguard.call.ThreadTransaction;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.ProxyMethodInvocation;

/**
 * Calls of methods that return a {@code CompletableFuture}, whose caller is not blocked:
 * the method may be called later, on the thread that brings the filter's answer. Its own
 * future is returned only if nothing is to be done before its end is seen.
 *
 * @param readOnce whether what the future brings has to be watched to know what is in it
 * @param executor has threads that may wait for Redis
 */
record FutureCalls(boolean readOnce, Executor executor) implements MethodCalls {

	@Override
	public MethodInterceptor guard(List<FilterCheck> checks) {
		return (invocation) -> {
			boolean inTransaction = ThreadTransaction.isReading();
			GuardedInvocation call = new GuardedInvocation(invocation) {

				@Override
				public boolean isInTransaction() {
					return inTransaction;
				}

			};
			CompletableFuture<Optional<FilterCheck>> answering = call.answering(checks).future();
			if (!answering.isDone() || call.isUndecided() || this.readOnce) {
				return later(call, answering);
			}
			Optional<FilterCheck> by = answering.join();
			return by.isEmpty() ? call.load() : call.answer(by.get());
		};
	}

	@Override
	public MethodInterceptor change(List<KeyChange> changes) {
		return (invocation) -> {
			List<KeyChange.Begun> begun = KeyChange.begin(changes);
			Object result = KeyChange.proceed(begun, invocation);
			if (result instanceof CompletionStage<?> stage) {
				return changed(stage, begun, invocation);
			}
			KeyChange.applyAll(begun, invocation, result, KeyChange.Transaction.OF_THREAD);
			return result;
		};
	}

	/**
	 * A future that is completed at once, such as of an {@code @Async} method, ends the
	 * transaction of the thread.
	 */
	private CompletableFuture<@Nullable Object> changed(CompletionStage<?> future, List<KeyChange.Begun> changes,
			MethodInvocation invocation) {
		CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
		relay(future, answer, (failure) -> {
			if (failure != null) {
				KeyChange.failed(changes, invocation, KeyChange.Transaction.OF_THREAD, failure);
			}
		}, (value) -> {
			Executor executor = ThreadTransaction.isActive() ? Runnable::run : this.executor;
			executor.execute(() -> {
				try {
					KeyChange.applyAll(changes, invocation, value, KeyChange.Transaction.OF_THREAD);
					answer.complete(value);
				}
				catch (Throwable ex) {
					answer.completeExceptionally(ex);
				}
			});
		});
		return answer;
	}

	/**
	 * Adding waits for Redis, which the caller must not do, unless its transaction does.
	 */
	@Override
	public MethodInterceptor addFirst(List<KeyChange> adds, MethodInterceptor call) {
		return (invocation) -> {
			if (ThreadTransaction.isActive()) {
				KeyChange.addAllFirst(adds, invocation, KeyChange.Transaction.OF_THREAD);
				return call.invoke(invocation);
			}
			MethodInvocation detached = ((ProxyMethodInvocation) invocation).invocableClone();
			CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
			try {
				this.executor.execute(() -> addFirst(detached, adds, call, answer));
			}
			catch (RejectedExecutionException ex) {
				answer.completeExceptionally(ex);
			}
			return answer;
		};
	}

	private void addFirst(MethodInvocation invocation, List<KeyChange> adds, MethodInterceptor call,
			CompletableFuture<@Nullable Object> answer) {
		try {
			Runnable end = KeyChange.addAllFirst(adds, invocation, KeyChange.Transaction.OF_THREAD);
			relay(called(invocation, call), answer, (failure) -> run(end), answer::complete);
		}
		catch (Throwable ex) {
			answer.completeExceptionally(ex);
		}
	}

	private static CompletionStage<?> called(MethodInvocation invocation, MethodInterceptor call) {
		try {
			Object result = call.invoke(invocation);
			return (result instanceof CompletionStage<?> stage) ? stage : CompletableFuture.completedFuture(result);
		}
		catch (Throwable ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private void run(Runnable end) {
		try {
			this.executor.execute(end);
		}
		catch (RejectedExecutionException ex) {
			end.run();
		}
	}

	private CompletableFuture<@Nullable Object> later(GuardedInvocation call,
			CompletableFuture<Optional<FilterCheck>> answering) {
		MethodInvocation detached = ((ProxyMethodInvocation) call.invocation()).invocableClone();
		CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
		answering.whenComplete((by, ex) -> {
			if (answer.isDone()) {
				return; // the caller has cancelled it
			}
			try {
				if (by.isEmpty()) {
					call.begin();
					relay(called(detached, call::proceed), answer, (failure) -> ended(call, failure), (value) -> {
						call.returned(value);
						answer.complete(this.readOnce ? call.watched(value) : value);
					});
				}
				else {
					relay((CompletionStage<?>) Objects.requireNonNull(call.answer(by.get())), answer, (failure) -> {
					}, answer::complete);
				}
			}
			catch (Throwable failure) {
				call.end();
				answer.completeExceptionally(failure);
			}
		});
		return answer;
	}

	private static void ended(GuardedInvocation call, @Nullable Throwable failure) {
		call.end();
		if (failure != null) {
			call.threw(failure);
		}
	}

	/**
	 * Hand on what a future ends with: unlike {@code CompletableFuture} does, the failure
	 * as it is, and a cancellation the other way too.
	 */
	private static <T> void relay(CompletionStage<T> from, CompletableFuture<@Nullable Object> to,
			Consumer<@Nullable Throwable> onEnd, Consumer<? super @Nullable T> onSuccess) {
		from.whenComplete((value, failure) -> {
			onEnd.accept(failure);
			if (failure != null) {
				to.completeExceptionally(failure);
				return;
			}
			try {
				onSuccess.accept(value);
			}
			catch (Throwable ex) {
				to.completeExceptionally(ex);
			}
		});
		to.whenComplete((value, failure) -> {
			if (to.isCancelled() && from instanceof Future<?> future) {
				future.cancel(true);
			}
		});
	}

}
