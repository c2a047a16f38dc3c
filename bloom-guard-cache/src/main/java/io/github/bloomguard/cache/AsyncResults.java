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

package io.github.bloomguard.cache;

import java.lang.reflect.Method;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;

import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.ClassUtils;

/**
 * Results that are not there yet when a cached method returns them: futures, and what
 * Reactor knows as one. What follows them belongs to the call.
 */
final class AsyncResults {

	private static final boolean REACTOR = ClassUtils.isPresent("reactor.core.publisher.Mono",
			AsyncResults.class.getClassLoader());

	private AsyncResults() {
	}

	static boolean areReturnedBy(Method method) {
		Class<?> type = method.getReturnType();
		return CompletableFuture.class.isAssignableFrom(type) || (REACTOR && Reactive.adapter(type) != null);
	}

	static Object within(CachedCall call, Object result) {
		return (result instanceof CompletableFuture<?> future) ? within(call, future) : Reactive.within(call, result);
	}

	static <T> CompletableFuture<T> within(CachedCall call, CompletableFuture<T> future) {
		CompletableFuture<T> bound = new CompletableFuture<>();
		future.whenComplete((value, failure) -> call.run(() -> {
			if (failure != null) {
				call.failed(failure);
				bound.completeExceptionally(failure);
			}
			else {
				bound.complete(value);
			}
		}));
		return bound;
	}

	/**
	 * Let a call be over with its result, and a load end with its call. One may fail
	 * after the method: its value can't be serialized.
	 */
	static Object ending(CachedCall call, Object result) {
		if (result instanceof CompletableFuture<?> future) {
			future.whenComplete((value, failure) -> {
				if (failure != null) {
					call.failed(failure);
				}
				call.over();
			});
			return future;
		}
		return Reactive.ending(call, result);
	}

	private static final class Reactive {

		static @Nullable ReactiveAdapter adapter(Class<?> type) {
			return ReactiveAdapterRegistry.getSharedInstance().getAdapter(type);
		}

		static Object within(CachedCall call, Object result) {
			ReactiveAdapter adapter = adapter(result.getClass());
			if (adapter == null) {
				return result;
			}
			Publisher<Object> publisher = adapter.toPublisher(result);
			return adapter.fromPublisher(adapter.isMultiValue()
					? Flux.from(publisher).transform(bound(call)).doOnCancel(call::repeatEvictions)
					: Mono.from(publisher).transform(bound(call)).doOnCancel(call::repeatEvictions));
		}

		static Object ending(CachedCall call, Object result) {
			if (result instanceof Mono<?> mono) {
				return mono.doOnError(call::failed).doFinally((signal) -> call.over());
			}
			return (result instanceof Flux<?> flux) ? flux.doFinally((signal) -> call.over()) : result;
		}

		private static Function<? super Publisher<Object>, ? extends Publisher<Object>> bound(CachedCall call) {
			return Operators
				.<Object, Object>liftPublisher((publisher, subscriber) -> new BoundSubscriber(call, subscriber));
		}

	}

	private record BoundSubscriber(CachedCall call,
			CoreSubscriber<? super Object> actual) implements CoreSubscriber<Object> {

		@Override
		public Context currentContext() {
			return this.actual.currentContext();
		}

		@Override
		public void onSubscribe(Subscription subscription) {
			this.actual.onSubscribe(subscription);
		}

		@Override
		public void onNext(Object element) {
			this.call.run(() -> this.actual.onNext(element));
		}

		@Override
		public void onError(Throwable failure) {
			this.call.failed(failure);
			this.call.run(() -> this.actual.onError(failure));
		}

		@Override
		public void onComplete() {
			this.call.run(this.actual::onComplete);
		}

	}

}
