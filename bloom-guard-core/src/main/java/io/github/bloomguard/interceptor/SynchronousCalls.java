package io.github.bloomguard.interceptor;

import java.util.List;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Guards a method that is waited for.
 *
 * @param checks what a call has to pass
 * @param empty what is returned if it doesn't
 */
record SynchronousCalls(List<FilterCheck> checks, EmptyValue empty) implements MethodInterceptor {

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		GuardedCall call = new GuardedCall(invocation);
		for (FilterCheck check : this.checks) {
			if (!check.passes(call)) {
				return call.answer(this.empty);
			}
		}
		return call.load();
	}

}
