package io.github.bloomguard.interceptor;

import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

import io.github.bloomguard.call.GuardedFilter;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ResolvableType;
import org.springframework.util.ObjectUtils;

/**
 * A method after which keys are added.
 */
final class AddingMethod {

	private final List<KeyAdder> adders;

	private final boolean future;

	private final @Nullable ReactiveCalls reactive;

	/**
	 * Create a method.
	 * @param declaration its first annotation
	 * @param adders what to add
	 */
	AddingMethod(Declaration declaration, List<KeyAdder> adders) {
		ResolvableType type = declaration.method().returnType();
		ResultTypes.checkObservable(declaration, type);
		ReactiveAdapter adapter = ResultTypes.reactive(declaration, type);
		this.adders = adders;
		this.future = CompletionStage.class.isAssignableFrom(type.toClass());
		this.reactive = (adapter != null) ? new ReactiveCalls(adapter) : null;
	}

	/**
	 * Call the method, and add the keys before its result is seen.
	 * @param invocation the call
	 * @param executor where keys are added after a future has been completed
	 */
	@Nullable Object invoke(MethodInvocation invocation, Executor executor) throws Throwable {
		Object result = invocation.proceed();
		if (this.reactive != null) {
			return this.reactive.add(invocation, result, this.adders);
		}
		if (this.future && result instanceof CompletionStage<?> stage) {
			return FutureCalls.after(stage, (value) -> addAll(invocation, value), executor);
		}
		addAll(invocation, result);
		return result;
	}

	private void addAll(MethodInvocation invocation, @Nullable Object result) {
		KeyAdder.addAll(this.adders, invocation, result, GuardedFilter::add);
	}

	/**
	 * An operation that adds keys, and its filter. Whatever fails here fails the call: a
	 * key that is silently not added hides a row.
	 *
	 * @param operation what the annotation asks for
	 * @param filter gives the filter; asked by calls only
	 */
	record KeyAdder(AddOperation operation, Supplier<GuardedFilter> filter) {

		/**
		 * Add the keys of a call.
		 * @param adders what to add
		 * @param invocation the call
		 * @param result what it has returned, or completed its future with
		 * @param add adds keys to a filter
		 */
		static void addAll(List<KeyAdder> adders, MethodInvocation invocation, @Nullable Object result,
				BiConsumer<GuardedFilter, List<Object>> add) {
			Object unwrapped = ObjectUtils.unwrapOptional(result);
			for (KeyAdder adder : adders) {
				List<Object> keys = adder.operation.keys(invocation, unwrapped);
				if (!keys.isEmpty()) {
					add.accept(adder.filter.get(), keys);
				}
			}
		}

	}

}
