package io.github.bloomguard.interceptor;

import java.util.List;
import java.util.concurrent.Future;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ResolvableType;

/**
 * Calls a guarded method, or doesn't. All that depends on its signature is decided when
 * this is made.
 */
interface ReadGuard {

	/**
	 * Call the method if each gate lets the call pass.
	 */
	@Nullable Object invoke(MethodInvocation invocation) throws Throwable;

	/**
	 * Return the guard of a method.
	 * @param declaration its first annotation
	 * @param gates the gates; at least one
	 */
	static ReadGuard of(Declaration declaration, List<Gate> gates) {
		ResolvableType type = declaration.method().returnType();
		ReturnTypes.checkReadable(declaration, type);
		ReactiveAdapter adapter = ReturnTypes.reactive(declaration, type);
		EmptyValue empty = gates.stream().allMatch(Gate::throwsMissing) ? EmptyValue.never(declaration, type)
				: EmptyValue.of(declaration, type);
		if (adapter != null) {
			return new ReactiveCalls(adapter).guard(gates, empty);
		}
		if (empty instanceof EmptyValue.Completed completed && type.toClass() != Future.class) {
			return new FutureGuard(gates, completed);
		}
		return (gates.size() == 1 && gates.get(0) instanceof KeyGate gate) ? new SingleKeyGuard(gate, empty)
				: new SynchronousGuard(gates, empty);
	}

}
