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

/**
 * Guards methods that return a reactive type, and adds keys after them. This is the only
 * class that needs Reactor.
 */
final class ReactiveCalls {

	private final ReactiveAdapter adapter;

	ReactiveCalls(ReactiveAdapter adapter) {
		this.adapter = adapter;
	}

	/**
	 * Return a guard that does nothing until somebody subscribes, and then everything for
	 * each subscription: the method is called anew for each of them.
	 */
	ReadGuard guard(List<Gate> gates) {
		return (invocation) -> {
			ProxyMethodInvocation assembled = clone(invocation);
			return this.adapter.fromPublisher(
					this.adapter.isMultiValue() ? guardedFlux(assembled, gates) : guardedMono(assembled, gates));
		};
	}

	private Mono<Object> guardedMono(ProxyMethodInvocation assembled, List<Gate> gates) {
		return Mono.defer(() -> {
			ProxyMethodInvocation detached = clone(assembled);
			GuardedCall call = new GuardedCall(detached, this::emptinessOfMono);
			return admitted(call, gates).flatMap((passes) -> passes ? loadedMono(call, detached) : Mono.empty());
		});
	}

	private Mono<Object> loadedMono(GuardedCall call, MethodInvocation detached) {
		return call.isUndecided()
				? Mono.using(call::begin, (begun) -> observedMono(begun, detached), GuardedCall::end, true)
				: observedMono(call, detached);
	}

	private Mono<Object> observedMono(GuardedCall call, MethodInvocation detached) {
		return Mono.from(proceed(call, detached)).doOnSuccess(call::returned);
	}

	private Flux<Object> guardedFlux(ProxyMethodInvocation assembled, List<Gate> gates) {
		return Flux.defer(() -> {
			ProxyMethodInvocation detached = clone(assembled);
			GuardedCall call = new GuardedCall(detached, this::emptinessOfFlux);
			return admitted(call, gates).flatMapMany((passes) -> passes ? loadedFlux(call, detached) : Flux.empty());
		});
	}

	private Flux<Object> loadedFlux(GuardedCall call, MethodInvocation detached) {
		return call.isUndecided()
				? Flux.using(call::begin, (begun) -> observedFlux(begun, detached), GuardedCall::end, true)
				: observedFlux(call, detached);
	}

	private Flux<Object> observedFlux(GuardedCall call, MethodInvocation detached) {
		AtomicBoolean found = new AtomicBoolean();
		return Flux.from(proceed(call, detached))
			.doOnNext((element) -> found.setPlain(true))
			.doOnComplete(() -> call.returned(found.getPlain() ? Boolean.TRUE : null));
	}

	private CompletableFuture<Emptiness> emptinessOfMono(@Nullable Object result) {
		return Mono.from(this.adapter.toPublisher(result))
			.map(Emptiness::of)
			.defaultIfEmpty(Emptiness.EMPTY)
			.toFuture();
	}

	private CompletableFuture<Emptiness> emptinessOfFlux(@Nullable Object result) {
		return Flux.from(this.adapter.toPublisher(result))
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
			return this.adapter.toPublisher(call.proceed(detached));
		}
		catch (Throwable ex) {
			return Mono.error(ex);
		}
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
		Publisher<Object> publisher = this.adapter.toPublisher(result);
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
		return Mono.<Void>fromRunnable(() -> KeyAdder.addAll(adders, invocation, result))
			.subscribeOn(Schedulers.boundedElastic());
	}

}
