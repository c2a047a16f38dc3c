package io.github.bloomguard.interceptor;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import org.springframework.aop.ProxyMethodInvocation;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.util.Assert;

/**
 * Guards methods that return a reactive type, and adds keys after them. Reactor is needed
 * by this class and {@link ReactiveTransaction} only.
 */
final class ReactiveCalls {

	private final ReactiveAdapter adapter;

	ReactiveCalls(ReactiveAdapter adapter) {
		this.adapter = adapter;
	}

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
	 * @param gates the gates
	 * @param empty the element, if any, of what is returned if one of them is shut
	 */
	ReadGuard guard(List<Gate> gates, EmptyValue empty) {
		return (invocation) -> {
			ProxyMethodInvocation assembled = clone(invocation);
			return this.adapter.fromPublisher(this.adapter.isMultiValue() ? guardedFlux(assembled, gates, empty)
					: guardedMono(assembled, gates, empty));
		};
	}

	private Mono<Object> guardedMono(ProxyMethodInvocation assembled, List<Gate> gates, EmptyValue empty) {
		return Mono.defer(() -> {
			ProxyMethodInvocation detached = clone(assembled);
			GuardedCall call = new GuardedCall(detached, this::emptinessOfMono);
			return admitted(call, gates)
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

	private Flux<Object> guardedFlux(ProxyMethodInvocation assembled, List<Gate> gates, EmptyValue empty) {
		return Flux.defer(() -> {
			ProxyMethodInvocation detached = clone(assembled);
			GuardedCall call = new GuardedCall(detached, this::emptinessOfFlux);
			return admitted(call, gates)
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
		}).doOnComplete(() -> call.returned(found.getPlain() ? Emptiness.PRESENT : Emptiness.EMPTY));
	}

	private CompletableFuture<Emptiness> emptinessOfMono(@Nullable Object result) {
		return Mono.from(publisher(result)).map(Emptiness::of).defaultIfEmpty(Emptiness.EMPTY).toFuture();
	}

	private CompletableFuture<Emptiness> emptinessOfFlux(@Nullable Object result) {
		return Flux.from(publisher(result))
			.hasElements()
			.map((found) -> found ? Emptiness.PRESENT : Emptiness.EMPTY)
			.toFuture();
	}

	/**
	 * The filter's answer is not cancelled with the subscription: others may wait for it.
	 */
	private static Mono<Boolean> admitted(GuardedCall call, List<Gate> gates) {
		return Mono.fromFuture(call.admittedAsync(gates), true);
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
	Object add(MethodInvocation invocation, @Nullable Object result, List<KeyAdder> adders) {
		Publisher<Object> publisher = publisher(result);
		if (!this.adapter.isMultiValue()) {
			return this.adapter.fromPublisher(addAfter(Mono.from(publisher), invocation, adders));
		}
		Flux<Object> elements = Flux.from(publisher);
		List<KeyAdder> once = adders.stream().filter((adder) -> !adder.usesResult()).toList();
		if (!once.isEmpty()) {
			elements = elements
				.switchOnFirst((first, all) -> first.isOnError() ? all : adding(invocation, null, once).thenMany(all));
		}
		List<KeyAdder> each = adders.stream().filter(KeyAdder::usesResult).toList();
		if (!each.isEmpty()) {
			elements = elements.concatMap((element) -> adding(invocation, element, each).thenReturn(element), 0);
		}
		return this.adapter.fromPublisher(elements);
	}

	private static Mono<Object> addAfter(Mono<Object> result, MethodInvocation invocation, List<KeyAdder> adders) {
		return result.map(Optional::of)
			.defaultIfEmpty(Optional.empty())
			.flatMap((value) -> adding(invocation, value.orElse(null), adders).then(Mono.justOrEmpty(value)));
	}

	/**
	 * Adding waits for Redis, which the thread that brings the result must not do.
	 */
	private static Mono<Void> adding(MethodInvocation invocation, @Nullable Object result, List<KeyAdder> adders) {
		return ReactiveTransaction.add()
			.flatMap((add) -> Mono.<Void>fromRunnable(() -> KeyAdder.addAll(adders, invocation, result, add))
				.subscribeOn(Schedulers.boundedElastic()));
	}

}
