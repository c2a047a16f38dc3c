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

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

import io.github.bloomguard.call.GuardedCall;
import io.github.bloomguard.call.KeyRemoval;
import io.github.bloomguard.call.ThreadTransaction;
import io.github.bloomguard.call.TransactionalKeys;
import io.github.bloomguard.call.WrittenFilter;
import io.github.bloomguard.declaration.Declaration;
import io.github.bloomguard.declaration.ReturnTypes;
import io.github.bloomguard.result.ResultContent;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.context.ContextView;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.util.Assert;

/**
 * Calls of methods that return a reactive type, or are {@code suspend} functions of
 * Kotlin. Only this class needs Reactor.
 */
record ReactiveCalls(ReactiveAdapter adapter) implements MethodCalls {

	static ReactiveCalls of(Declaration declaration, ReactiveAdapter adapter) {
		Class<?> declared = declaration.method().returnType().toClass();
		if (!declared.isAssignableFrom(adapter.getReactiveType())) {
			throw declaration.invalid("returns " + declared.getName() + ", of which the guard can't make one",
					"return " + adapter.getReactiveType().getSimpleName() + " instead");
		}
		return new ReactiveCalls(adapter);
	}

	/**
	 * All that a {@code suspend} function returns is reactive in a proxy.
	 */
	static ReactiveCalls ofSuspending(boolean flow) {
		ReactiveAdapter adapter = ReturnTypes.adapter(flow ? Flux.class : Mono.class);
		Assert.state(adapter != null, "Reactor is missing");
		return new ReactiveCalls(adapter);
	}

	/**
	 * Return a guard that does nothing until it is subscribed to, and calls the method
	 * anew for each subscription.
	 */
	@Override
	public MethodInterceptor guard(List<FilterCheck> checks) {
		return (invocation) -> {
			ProxyMethodInvocation assembled = clone(invocation);
			return published(Flux.deferContextual((context) -> guarded(clone(assembled), checks, context)));
		};
	}

	/**
	 * A subscription is made in a transaction of its own or of this thread. The filter's
	 * answer is not cancelled with it: others may wait for that.
	 */
	private Flux<Object> guarded(ProxyMethodInvocation detached, List<FilterCheck> checks, ContextView context) {
		boolean inTransactionOfThread = ThreadTransaction.isReading();
		GuardedInvocation call = new GuardedInvocation(detached) {

			@Override
			public boolean isInTransaction() {
				return inTransactionOfThread || ReactiveTransaction.isActive(context);
			}

			@Override
			CompletableFuture<ResultContent> content(@Nullable Object result) {
				Flux<Object> elements = Flux.from(publisher(result));
				return (ReactiveCalls.this.adapter.isMultiValue() ? elements.next() : elements.singleOrEmpty())
					.map((element) -> ResultContent.of(found(element)))
					.defaultIfEmpty(ResultContent.EMPTY)
					.toFuture();
			}

		};
		return Mono.fromFuture(call.answering(checks).future(), true)
			.flatMapMany((by) -> by.isEmpty() ? loaded(call, detached) : Mono.justOrEmpty(call.answer(by.get())));
	}

	private Flux<Object> loaded(GuardedInvocation call, MethodInvocation detached) {
		return call.isUndecided() ? Flux.using(call::begin, (begun) -> observed(call, detached), GuardedCall::end, true)
				: observed(call, detached);
	}

	private Flux<Object> observed(GuardedInvocation call, MethodInvocation detached) {
		AtomicReference<@Nullable Object> last = new AtomicReference<>();
		return Flux.from(called(detached, call::proceed)).doOnNext(last::setPlain).doOnError((ex) -> {
			if (last.getPlain() == null) {
				call.threw(ex);
			}
		}).doOnComplete(() -> call.returned(found(last.getPlain())));
	}

	/**
	 * One of many elements tells that there are some, whatever it is.
	 */
	private @Nullable Object found(@Nullable Object element) {
		return (element != null && this.adapter.isMultiValue()) ? ResultContent.PRESENT : element;
	}

	/**
	 * The cache in a proxy gives the result of a {@code suspend} function as it is.
	 */
	private Publisher<Object> publisher(@Nullable Object result) {
		return (result == null || this.adapter.getReactiveType().isInstance(result)) ? this.adapter.toPublisher(result)
				: Mono.just(result);
	}

	private static ProxyMethodInvocation clone(MethodInvocation invocation) {
		return (ProxyMethodInvocation) ((ProxyMethodInvocation) invocation).invocableClone();
	}

	/**
	 * Change the keys before the subscriber gets what they are the keys of: for each
	 * element if they depend on it, and otherwise once, when the method has done
	 * something.
	 */
	@Override
	public MethodInterceptor change(List<KeyChange> changes) {
		return (invocation) -> {
			Publisher<Object> publisher = publisher(invocation.proceed());
			return published(Flux.defer(() -> {
				List<KeyChange.Begun> begun = KeyChange.begin(changes);
				Flux<Object> elements = Flux.from(publisher)
					.onErrorResume((failure) -> ReactiveTransaction.current()
						.doOnNext((transaction) -> KeyChange.failed(begun, invocation, transaction, failure))
						.thenMany(Flux.error(failure)));
				return this.adapter.isMultiValue() ? changeAround(elements, invocation, begun)
						: changeAfter(elements.singleOrEmpty(), invocation, begun);
			}));
		};
	}

	@Override
	public MethodInterceptor renew() {
		return (invocation) -> {
			ProxyMethodInvocation assembled = clone(invocation);
			return published(Flux.defer(() -> called(clone(assembled), MethodInvocation::proceed)));
		};
	}

	/**
	 * Call the method when it is subscribed to, which adds the keys before.
	 */
	@Override
	public MethodInterceptor addFirst(List<KeyChange> adds, MethodInterceptor call) {
		return (invocation) -> published(Flux.defer(() -> {
			Mono<Runnable> added = ReactiveTransaction.current()
				.flatMap((transaction) -> Mono.fromCallable(() -> KeyChange.addAllFirst(adds, invocation, transaction))
					.subscribeOn(Schedulers.boundedElastic()));
			return Flux.usingWhen(added, (end) -> called(invocation, call), ReactiveCalls::waiting);
		}));
	}

	private Object published(Flux<Object> result) {
		return this.adapter.fromPublisher(this.adapter.isMultiValue() ? result : result.singleOrEmpty());
	}

	private Publisher<Object> called(MethodInvocation invocation, MethodInterceptor call) {
		try {
			return publisher(call.invoke(invocation));
		}
		catch (Throwable ex) {
			return Mono.error(ex);
		}
	}

	/**
	 * Wait for Redis, which the thread that brings the result or commits must not do.
	 */
	private static Mono<Void> waiting(Runnable forRedis) {
		return Mono.<Void>fromRunnable(forRedis).subscribeOn(Schedulers.boundedElastic());
	}

	private static Flux<Object> changeAround(Flux<Object> elements, MethodInvocation invocation,
			List<KeyChange.Begun> begun) {
		List<KeyChange.Begun> once = begun.stream().filter(Predicate.not(KeyChange.Begun::usesResult)).toList();
		Flux<Object> changing = elements;
		if (!once.isEmpty()) {
			changing = changing.switchOnFirst(
					(first, all) -> first.isOnError() ? all : applying(invocation, null, once).thenMany(all));
		}
		List<KeyChange.Begun> each = begun.stream().filter(KeyChange.Begun::usesResult).toList();
		return each.isEmpty() ? changing
				: changing.concatMap((element) -> applying(invocation, element, each).thenReturn(element), 0);
	}

	private static Mono<Object> changeAfter(Mono<Object> result, MethodInvocation invocation,
			List<KeyChange.Begun> changes) {
		return result.map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.flatMap((value) -> applying(invocation, value.orElse(null), changes).then(Mono.justOrEmpty(value)));
	}

	private static Mono<Void> applying(MethodInvocation invocation, @Nullable Object result,
			List<KeyChange.Begun> changes) {
		return ReactiveTransaction.current()
			.flatMap((transaction) -> waiting(() -> KeyChange.applyAll(changes, invocation, result, transaction)));
	}

	private record ReactiveTransaction(TransactionSynchronizationManager manager) implements KeyChange.Transaction {

		/**
		 * Return that of where this is subscribed to, or of the thread, if it has none.
		 */
		static Mono<KeyChange.Transaction> current() {
			return active()
				.filter(TransactionSynchronizationManager::isSynchronizationActive).<KeyChange
						.Transaction>map(ReactiveTransaction::new)
				.defaultIfEmpty(KeyChange.Transaction.OF_THREAD);
		}

		static boolean isActive(ContextView context) {
			return active().contextWrite(context).toFuture().getNow(null) != null;
		}

		private static Mono<TransactionSynchronizationManager> active() {
			return TransactionSynchronizationManager.forCurrentTransaction()
				.filter(TransactionSynchronizationManager::isActualTransactionActive)
				.onErrorResume(NoTransactionException.class, (ex) -> Mono.empty());
		}

		@Override
		public void add(WrittenFilter filter, List<@Nullable Object> keys) {
			AddedKeys added = this.manager.getSynchronizations()
				.stream()
				.filter(AddedKeys.class::isInstance)
				.map(AddedKeys.class::cast)
				.findFirst()
				.orElseGet(AddedKeys::new);
			// a set
			this.manager.registerSynchronization(added);
			added.filters.computeIfAbsent(filter.name(), (name) -> filter.transactionalKeys()).add(keys);
		}

		@Override
		public void addBeforeCommit(WrittenFilter filter, List<@Nullable Object> keys) {
			add(filter, List.of());
			this.manager.registerSynchronization(new TransactionSynchronization() {

				@Override
				public Mono<Void> beforeCommit(boolean readOnly) {
					return waiting(() -> add(filter, keys));
				}

			});
		}

		@Override
		public void remove(KeyRemoval removal, List<@Nullable Object> keys) {
			this.manager.registerSynchronization(new RemovedKeys(removal, keys));
		}

	}

	/**
	 * Looks after added keys, by filter.
	 */
	private static final class AddedKeys implements TransactionSynchronization {

		private final Map<String, TransactionalKeys> filters = new ConcurrentHashMap<>();

		@Override
		public Mono<Void> beforeCommit(boolean readOnly) {
			return waiting(() -> TransactionalKeys.allBeforeCommit(this.filters.values()));
		}

		@Override
		public Mono<Void> afterCommit() {
			return waiting(() -> this.filters.values().forEach(TransactionalKeys::afterCommit));
		}

	}

	private record RemovedKeys(KeyRemoval removal, List<@Nullable Object> keys) implements TransactionSynchronization {

		@Override
		public Mono<Void> afterCommit() {
			return Mono.fromRunnable(() -> this.removal.removeNow(this.keys, Duration.ZERO));
		}

	}

}
