package io.github.bloomguard.interceptor;

import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

import io.github.bloomguard.call.GuardedFilter;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ObjectUtils;

/**
 * An operation that adds keys, and its filter. Whatever fails here fails the call: a key
 * that is silently not added hides a row.
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
	 */
	static void addAll(List<KeyAdder> adders, MethodInvocation invocation, @Nullable Object result) {
		addAll(adders, invocation, result, GuardedFilter::add);
	}

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
			adder.add(invocation, unwrapped, add);
		}
	}

	private void add(MethodInvocation invocation, @Nullable Object result,
			BiConsumer<GuardedFilter, List<Object>> add) {
		GuardExpression condition = this.operation.condition();
		if (condition != null && !condition.holds(invocation, result)) {
			return;
		}
		List<Object> keys = this.operation.keys(invocation, result);
		if (!keys.isEmpty()) {
			add.accept(this.filter.get(), keys);
		}
	}

	boolean usesResult() {
		return this.operation.usesResult();
	}

}
