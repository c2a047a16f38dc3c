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

import io.github.bloomguard.Verdict;
import io.github.bloomguard.call.LoadPermit;
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

	static MethodInterceptor of(List<FilterCheck> checks, EmptyValue empty) {
		return (checks.size() == 1 && checks.get(0) instanceof KeyCheck check) ? new OneKey(check, check.answer(empty))
				: new SynchronousCalls(checks, empty);
	}

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

	/**
	 * Guards the usual kind of method, which has one key, without a {@link GuardedCall}.
	 *
	 * @param check what a call has to pass
	 * @param answer what it is answered with if it doesn't
	 */
	private record OneKey(KeyCheck check, EmptyValue answer) implements MethodInterceptor {

		@Override
		public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
			Object key = this.check.key(invocation);
			Verdict verdict = (key != null) ? this.check.check(key) : null;
			if (key == null || verdict == null) {
				return invocation.proceed();
			}
			if (verdict.answered()) {
				if (this.check.filter().isAudited(verdict)) {
					this.check.audit(key, new GuardedCall(invocation)::auditCall);
				}
				return this.answer.get(invocation.getArguments());
			}
			LoadPermit permit = this.check.filter().acquire(verdict);
			try {
				Object result = invocation.proceed();
				this.check.returned(key, verdict, result);
				return result;
			}
			catch (Throwable ex) {
				if (this.check.isMissing(ex)) {
					this.check.returned(key, verdict, null);
				}
				throw ex;
			}
			finally {
				if (permit != null) {
					permit.close();
				}
			}
		}

	}

}
