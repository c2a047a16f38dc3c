package io.github.bloomguard.interceptor;

import java.util.List;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Guards a method that is waited for.
 *
 * @param gates the gates
 * @param empty what is returned if one of them is shut
 */
record SynchronousGuard(List<Gate> gates, EmptyValue empty) implements ReadGuard {

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		GuardedCall call = new GuardedCall(invocation);
		if (!call.admitted(this.gates)) {
			return call.answer(this.empty);
		}
		call.begin();
		try {
			return call.load();
		}
		finally {
			call.end();
		}
	}

}
