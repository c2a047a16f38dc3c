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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

import io.github.bloomguard.call.GuardedCall;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.KeyRemoval;
import io.github.bloomguard.call.ThreadTransaction;
import io.github.bloomguard.call.TransactionalKeys;
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
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.util.Assert;

/**
 * Guards methods that return a reactive type. Only this class needs Reactor.
 */
record ReactiveCalls(ReactiveAdapter adapter) {

	static ReactiveAdapter ofSuspending(boolean flow) {
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance()
			.getAdapter(flow ? Flux.class : Mono.class);
		Assert.state(adapter != null, "Reactor is missing");
		return adapter;
	}

	/**
	 * Return a guard that does nothing until it is subscribed to, and calls the method
	 * anew for each subscription.
	 */
	MethodInterceptor guard(List<FilterCheck> checks, EmptyValue empty) {
		return (invocation) -> {
			ProxyMethodInvocation assembled = clone(invocation);
			return this.adapter.fromPublisher(this.adapter.isMultiValue() ? guardedFlux(assembled, checks, empty)
					: guardedMono(assembled, checks, empty));
		};
	}

	private Mono<Object> guardedMono(ProxyMethodInvocation assembled, List<FilterCheck> checks, EmptyValue empty) {
		return Mono.deferContextual((context) -> {
			ProxyMethodInvocation detached = clone(assembled);
			GuardedInvocation call = new GuardedInvocation.Detached(detached, this::contentOfMono,
					readsRecent(context));
			return checked(call, checks)
				.flatMap((passes) -> passes ? loadedMono(call, detached) : Mono.justOrEmpty(call.answer(empty)));
		});
	}

	private Mono<Object> loadedMono(GuardedInvocation call, MethodInvocation detached) {
		return call.isUndecided()
				? Mono.using(call::begin, (begun) -> observedMono(call, detached), GuardedCall::end, true)
				: observedMono(call, detached);
	}

	private Mono<Object> observedMono(GuardedInvocation call, MethodInvocation detached) {
		return Mono.from(proceed(call, detached)).doOnSuccess(call::returned).doOnError(call::threw);
	}

	private Flux<Object> guardedFlux(ProxyMethodInvocation assembled, List<FilterCheck> checks, EmptyValue empty) {
		return Flux.deferContextual((context) -> {
			ProxyMethodInvocation detached = clone(assembled);
			GuardedInvocation call = new GuardedInvocation.Detached(detached, this::contentOfFlux,
					readsRecent(context));
			return checked(call, checks)
				.flatMapMany((passes) -> passes ? loadedFlux(call, detached) : Mono.justOrEmpty(call.answer(empty)));
		});
	}

	private Flux<Object> loadedFlux(GuardedInvocation call, MethodInvocation detached) {
		return call.isUndecided()
				? Flux.using(call::begin, (begun) -> observedFlux(call, detached), GuardedCall::end, true)
				: observedFlux(call, detached);
	}

	private Flux<Object> observedFlux(GuardedInvocation call, MethodInvocation detached) {
		AtomicBoolean found = new AtomicBoolean();
		return Flux.from(proceed(call, detached)).doOnNext((element) -> found.setPlain(true)).doOnError((ex) -> {
			if (!found.getPlain()) {
				call.threw(ex);
			}
		}).doOnComplete(() -> call.returned(found.getPlain() ? ResultContent.PRESENT : ResultContent.EMPTY));
	}

	/**
	 * A subscription is made in a transaction of its own or of this thread.
	 */
	private static BooleanSupplier readsRecent(ContextView context) {
		boolean readsRecent = ThreadTransaction.readsRecent();
		return () -> readsRecent && ReactiveTransaction.readsLatest(context);
	}

	private CompletableFuture<ResultContent> contentOfMono(@Nullable Object result) {
		return Mono.from(publisher(result)).map(ResultContent::of).defaultIfEmpty(ResultContent.EMPTY).toFuture();
	}

	private CompletableFuture<ResultContent> contentOfFlux(@Nullable Object result) {
		return Flux.from(publisher(result))
			.hasElements()
			.map((found) -> found ? ResultContent.PRESENT : ResultContent.EMPTY)
			.toFuture();
	}

	/**
	 * The filter's answer is not cancelled with the subscription: others may wait for it.
	 */
	private static Mono<Boolean> checked(GuardedInvocation call, List<FilterCheck> checks) {
		return Mono.fromFuture(call.passes(checks).future(), true);
	}

	private Publisher<Object> proceed(GuardedInvocation call, MethodInvocation detached) {
		try {
			return publisher(call.proceed(detached));
		}
		catch (Throwable ex) {
			return Mono.error(ex);
		}
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
	Object change(MethodInvocation invocation, @Nullable Object result, List<ChangingMethod.KeyChange> changes) {
		Publisher<Object> publisher = publisher(result);
		return this.adapter.fromPublisher(this.adapter.isMultiValue()
				? Flux.defer(() -> changeAround(Flux.from(publisher), invocation, changes))
				: Mono.defer(() -> changeAfter(Mono.from(publisher), invocation, ChangingMethod.begin(changes))));
	}

	private static Flux<Object> changeAround(Flux<Object> elements, MethodInvocation invocation,
			List<ChangingMethod.KeyChange> changes) {
		List<ChangingMethod.BegunChange> begun = ChangingMethod.begin(changes);
		List<ChangingMethod.BegunChange> once = begun.stream()
			.filter((change) -> !change.operation().usesResult())
			.toList();
		Flux<Object> changing = elements;
		if (!once.isEmpty()) {
			changing = changing.switchOnFirst(
					(first, all) -> first.isOnError() ? all : applying(invocation, null, once).thenMany(all));
		}
		List<ChangingMethod.BegunChange> each = begun.stream()
			.filter((change) -> change.operation().usesResult())
			.toList();
		if (!each.isEmpty()) {
			changing = changing.concatMap((element) -> applying(invocation, element, each).thenReturn(element), 0);
		}
		return changing;
	}

	private static Mono<Object> changeAfter(Mono<Object> result, MethodInvocation invocation,
			List<ChangingMethod.BegunChange> changes) {
		return result.map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.flatMap((value) -> applying(invocation, value.orElse(null), changes).then(Mono.justOrEmpty(value)));
	}

	/**
	 * Adding waits for Redis, which the thread that brings the result must not do.
	 */
	private static Mono<Void> applying(MethodInvocation invocation, @Nullable Object result,
			List<ChangingMethod.BegunChange> changes) {
		return ReactiveTransaction.current()
			.flatMap((transaction) -> Mono
				.<Void>fromRunnable(() -> ChangingMethod.applyAll(changes, invocation, result, transaction))
				.subscribeOn(Schedulers.boundedElastic()));
	}

	private record ReactiveTransaction(
			TransactionSynchronizationManager manager) implements ChangingMethod.Transaction {

		/**
		 * Return that of where this is subscribed to, or of the thread, if it has none.
		 */
		static Mono<ChangingMethod.Transaction> current() {
			return active()
				.filter(TransactionSynchronizationManager::isSynchronizationActive).<ChangingMethod
						.Transaction>map(ReactiveTransaction::new)
				.defaultIfEmpty(ChangingMethod.Transaction.OF_THREAD);
		}

		/**
		 * When a reactive transaction began is not known.
		 */
		static boolean readsLatest(ContextView context) {
			TransactionSynchronizationManager manager = active().contextWrite(context).toFuture().getNow(null);
			return manager == null || ThreadTransaction.readsLatest(manager.isCurrentTransactionReadOnly(),
					manager.getCurrentTransactionIsolationLevel());
		}

		private static Mono<TransactionSynchronizationManager> active() {
			return TransactionSynchronizationManager.forCurrentTransaction()
				.filter(TransactionSynchronizationManager::isActualTransactionActive)
				.onErrorResume(NoTransactionException.class, (ex) -> Mono.empty());
		}

		@Override
		public void add(GuardedFilter filter, List<@Nullable Object> keys) {
			addedKeys(filter).add(keys);
		}

		private TransactionalKeys addedKeys(GuardedFilter filter) {
			for (TransactionSynchronization synchronization : this.manager.getSynchronizations()) {
				if (synchronization instanceof AddedKeys known && known.filter.equals(filter.name())) {
					return known.keys;
				}
			}
			TransactionalKeys keys = filter.transactionalKeys();
			this.manager.registerSynchronization(new AddedKeys(filter.name(), keys));
			return keys;
		}

		@Override
		public void remove(KeyRemoval removal, List<@Nullable Object> keys) {
			this.manager.registerSynchronization(new RemovedKeys(removal, keys));
		}

	}

	/**
	 * Looks after added keys. Waits for Redis, which the committing thread must not do.
	 */
	private record AddedKeys(String filter, TransactionalKeys keys) implements TransactionSynchronization {

		@Override
		public Mono<Void> beforeCommit(boolean readOnly) {
			return Mono.<Void>fromRunnable(this.keys::beforeCommit).subscribeOn(Schedulers.boundedElastic());
		}

		@Override
		public Mono<Void> afterCommit() {
			return Mono.<Void>fromRunnable(this.keys::afterCommit).subscribeOn(Schedulers.boundedElastic());
		}

	}

	private record RemovedKeys(KeyRemoval removal, List<@Nullable Object> keys) implements TransactionSynchronization {

		@Override
		public Mono<Void> afterCommit() {
			return Mono.fromRunnable(() -> this.removal.removeNow(this.keys));
		}

	}

}
