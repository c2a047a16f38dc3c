package io.github.bloomguard.interceptor;

import io.github.bloomguard.Verdict;
import io.github.bloomguard.call.LoadPermit;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Guards the usual kind of method, which has one key and is waited for.
 *
 * @param gate the only gate
 * @param empty what is returned if it is shut
 */
record SingleKeyGuard(KeyGate gate, EmptyValue empty) implements ReadGuard {

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object key = this.gate.key(invocation);
		Verdict verdict = (key != null) ? this.gate.check(key) : null;
		if (key == null || verdict == null) {
			return invocation.proceed();
		}
		if (verdict.answered()) {
			if (this.gate.filter().isAudited(verdict)) {
				this.gate.audit(key, new GuardedCall(invocation)::again);
			}
			return this.gate.answer(this.empty, invocation);
		}
		LoadPermit permit = this.gate.filter().acquire(verdict);
		try {
			Object result = invocation.proceed();
			this.gate.returned(key, verdict, result);
			return result;
		}
		catch (Throwable ex) {
			this.gate.threw(key, verdict, ex);
			throw ex;
		}
		finally {
			if (permit != null) {
				permit.close();
			}
		}
	}

}
