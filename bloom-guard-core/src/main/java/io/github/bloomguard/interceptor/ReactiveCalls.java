package io.github.bloomguard.interceptor;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;

import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.TransactionalKeys;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.transaction.NoTransactionException;
import org.springframework.transaction.reactive.TransactionSynchronization;
import org.springframework.transaction.reactive.TransactionSynchronizationManager;
import org.springframework.util.Assert;

/**
 * Guards methods that return a reactive type, and adds keys after them. Reactor is needed
 * by this class only.
 *
 * @param adapter adapts the type that the methods return
 */
record ReactiveCalls(ReactiveAdapter adapter) {

	/**
	 * Return what adapts the result of a {@code suspend} function as advice sees it.
	 * @param flow whether it is a {@code Flow}
	 */
	static ReactiveAdapter ofSuspending(boolean flow) {
		ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance()
			.getAdapter(flow ? Flux.class : Mono.class);
		Assert.state(adapter != null, "Reactor is missing");
		return adapter;
	}

	/**
	 * Return a guard that does nothing until somebody subscribes, and then everything for
	 * each subscription: the method is called anew for each of them.
	 * @param checks what a call has to pass
	 * @param empty the element, if any, of what is returned if it doesn't
	 */
	MethodInterceptor guard(List<FilterCheck> checks, EmptyValue empty) {
		return (invocation) -> {
			ProxyMethodInvocation assembled = clone(invocation);
			return this.adapter.fromPublisher(this.adapter.isMultiValue() ? guardedFlux(assembled, checks, empty)
					: guardedMono(assembled, checks, empty));
		};
	}

	private Mono<Object> guardedMono(ProxyMethodInvocation assembled, List<FilterCheck> checks, EmptyValue empty) {
		return Mono.defer(() -> {
			ProxyMethodInvocation detached = clone(assembled);
			GuardedCall call = new GuardedCall(detached, this::contentOfMono);
			return checked(call, checks)
				.flatMap((passes) -> passes ? loadedMono(call, detached) : Mono.justOrEmpty(call.answer(empty)));
		});
	}

	private Mono<Object> loadedMono(GuardedCall call, MethodInvocation detached) {
		return call.isUndecided()
				? Mono.using(call::begin, (begun) -> observedMono(begun, detached), GuardedCall::end, true)
				: observedMono(call, detached);
	}

	private Mono<Object> observedMono(GuardedCall call, MethodInvocation detached) {
		return Mono.from(proceed(call, detached)).doOnSuccess(call::returned).doOnError(call::threw);
	}

	private Flux<Object> guardedFlux(ProxyMethodInvocation assembled, List<FilterCheck> checks, EmptyValue empty) {
		return Flux.defer(() -> {
			ProxyMethodInvocation detached = clone(assembled);
			GuardedCall call = new GuardedCall(detached, this::contentOfFlux);
			return checked(call, checks)
				.flatMapMany((passes) -> passes ? loadedFlux(call, detached) : Mono.justOrEmpty(call.answer(empty)));
		});
	}

	private Flux<Object> loadedFlux(GuardedCall call, MethodInvocation detached) {
		return call.isUndecided()
				? Flux.using(call::begin, (begun) -> observedFlux(begun, detached), GuardedCall::end, true)
				: observedFlux(call, detached);
	}

	private Flux<Object> observedFlux(GuardedCall call, MethodInvocation detached) {
		AtomicBoolean found = new AtomicBoolean();
		return Flux.from(proceed(call, detached)).doOnNext((element) -> found.setPlain(true)).doOnError((ex) -> {
			if (!found.getPlain()) {
				call.threw(ex);
			}
		}).doOnComplete(() -> call.returned(found.getPlain() ? ResultContent.PRESENT : ResultContent.EMPTY));
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
	private static Mono<Boolean> checked(GuardedCall call, List<FilterCheck> checks) {
		return Mono.fromFuture(call.passesAsync(checks), true);
	}

	private Publisher<Object> proceed(GuardedCall call, MethodInvocation detached) {
		try {
			return publisher(call.proceed(detached));
		}
		catch (Throwable ex) {
			return Mono.error(ex);
		}
	}

	/**
	 * The cache in a proxy gives the cached result of a {@code suspend} function as it
	 * is.
	 */
	private Publisher<Object> publisher(@Nullable Object result) {
		return (result == null || this.adapter.getReactiveType().isInstance(result)) ? this.adapter.toPublisher(result)
				: Mono.just(result);
	}

	private static ProxyMethodInvocation clone(MethodInvocation invocation) {
		return (ProxyMethodInvocation) ((ProxyMethodInvocation) invocation).invocableClone();
	}

	/**
	 * Return what the method has returned, with the keys added before the subscriber gets
	 * what they are the keys of: for each element if they depend on it, and otherwise
	 * once, when the method is known to have done something.
	 */
	Object add(MethodInvocation invocation, @Nullable Object result, List<AddingMethod.KeyAdder> adders) {
		Publisher<Object> publisher = publisher(result);
		if (!this.adapter.isMultiValue()) {
			return this.adapter.fromPublisher(addAfter(Mono.from(publisher), invocation, adders));
		}
		Flux<Object> elements = Flux.from(publisher);
		List<AddingMethod.KeyAdder> once = adders.stream().filter((adder) -> !adder.operation().usesResult()).toList();
		if (!once.isEmpty()) {
			elements = elements
				.switchOnFirst((first, all) -> first.isOnError() ? all : adding(invocation, null, once).thenMany(all));
		}
		List<AddingMethod.KeyAdder> each = adders.stream().filter((adder) -> adder.operation().usesResult()).toList();
		if (!each.isEmpty()) {
			elements = elements.concatMap((element) -> adding(invocation, element, each).thenReturn(element), 0);
		}
		return this.adapter.fromPublisher(elements);
	}

	private static Mono<Object> addAfter(Mono<Object> result, MethodInvocation invocation,
			List<AddingMethod.KeyAdder> adders) {
		return result.map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.flatMap((value) -> adding(invocation, value.orElse(null), adders).then(Mono.justOrEmpty(value)));
	}

	/**
	 * Adding waits for Redis, which the thread that brings the result must not do.
	 */
	private static Mono<Void> adding(MethodInvocation invocation, @Nullable Object result,
			List<AddingMethod.KeyAdder> adders) {
		return Transaction.add()
			.flatMap((add) -> Mono
				.<Void>fromRunnable(() -> AddingMethod.KeyAdder.addAll(adders, invocation, result, add))
				.subscribeOn(Schedulers.boundedElastic()));
	}

	/**
	 * Looks after the keys that are added in a reactive transaction, which is bound to
	 * the subscription and not to a thread. Looking waits for Redis, which the thread
	 * that commits must not do.
	 *
	 * @param filter the name of the filter
	 * @param keys the keys
	 */
	private record Transaction(String filter, TransactionalKeys keys) implements TransactionSynchronization {

		/**
		 * Return what adds keys where this is subscribed to: in its transaction, if it
		 * has one.
		 */
		static Mono<BiConsumer<GuardedFilter, List<Object>>> add() {
			return TransactionSynchronizationManager.forCurrentTransaction()
				.filter((manager) -> manager.isActualTransactionActive() && manager.isSynchronizationActive())
				.<BiConsumer<GuardedFilter, List<Object>>>map(
						(manager) -> (filter, keys) -> keysOf(manager, filter).add(keys))
				.onErrorResume(NoTransactionException.class, (ex) -> Mono.empty())
				.defaultIfEmpty(GuardedFilter::add);
		}

		private static TransactionalKeys keysOf(TransactionSynchronizationManager manager, GuardedFilter filter) {
			for (TransactionSynchronization synchronization : manager.getSynchronizations()) {
				if (synchronization instanceof Transaction known && known.filter.equals(filter.name())) {
					return known.keys;
				}
			}
			TransactionalKeys keys = filter.transactionalKeys();
			manager.registerSynchronization(new Transaction(filter.name(), keys));
			return keys;
		}

		@Override
		public Mono<Void> beforeCommit(boolean readOnly) {
			return Mono.<Void>fromRunnable(this.keys::beforeCommit).subscribeOn(Schedulers.boundedElastic());
		}

		@Override
		public Mono<Void> afterCommit() {
			return Mono.<Void>fromRunnable(this.keys::afterCommit).subscribeOn(Schedulers.boundedElastic());
		}

	}

}
