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
import java.util.Optional;

import io.github.bloomguard.call.ThreadTransaction;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Calls of methods that return what they give at once.
 *
 * @param readOnce whether the result has to be watched to know what is in it
 */
record SynchronousCalls(boolean readOnce) implements MethodCalls {

	@Override
	public MethodInterceptor guard(List<FilterCheck> checks) {
		return new Guard(checks, this.readOnce);
	}

	@Override
	public MethodInterceptor change(List<KeyChange> changes) {
		return (invocation) -> {
			List<KeyChange.Begun> begun = KeyChange.begin(changes);
			Object result = KeyChange.proceed(begun, invocation);
			KeyChange.applyAll(begun, invocation, result, KeyChange.Transaction.OF_THREAD);
			return result;
		};
	}

	@Override
	public MethodInterceptor addFirst(List<KeyChange> adds, MethodInterceptor call) {
		return (invocation) -> {
			Runnable end = KeyChange.addAllFirst(adds, invocation, KeyChange.Transaction.OF_THREAD);
			try {
				return call.invoke(invocation);
			}
			finally {
				end.run();
			}
		};
	}

	/**
	 * Not a lambda, which would be one level more: what is called at a depth of 15 is
	 * compiled into none of its callers, and the bits of a filter are nearly that deep.
	 */
	private record Guard(List<FilterCheck> checks, boolean readOnce) implements MethodInterceptor {

		@Override
		public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
			GuardedInvocation call = new GuardedInvocation(invocation);
			Optional<FilterCheck> answering = call.answering(this.checks).await();
			return answering.isPresent() ? call.answer(answering.get())
					: this.readOnce ? call.watched(call.load()) : call.load();
		}

	}

}
