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
import java.util.concurrent.atomic.AtomicBoolean;

import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.call.ThreadTransaction;
import io.github.bloomguard.declaration.Declaration;
import org.aopalliance.intercept.MethodInterceptor;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;

import org.springframework.core.log.LogMessage;

/**
 * Calls of methods that return what they give at once.
 */
final class SynchronousCalls implements MethodCalls {

	private static final Log logger = LogFactory.getLog(SynchronousCalls.class);

	private final Declaration declaration;

	private final boolean readOnce;

	private final AtomicBoolean warned = new AtomicBoolean();

	/**
	 * @param readOnce whether the result has to be watched to know what is in it
	 */
	SynchronousCalls(Declaration declaration, boolean readOnce) {
		this.declaration = declaration;
		this.readOnce = readOnce;
	}

	@Override
	public MethodInterceptor guard(List<FilterCheck> checks) {
		return (invocation) -> {
			GuardedInvocation call = new GuardedInvocation(invocation);
			if (!call.passes(checks).await()) {
				return call.answer();
			}
			Object result = call.load();
			return this.readOnce ? call.watched(result) : result;
		};
	}

	@Override
	public MethodInterceptor change(List<KeyChange> changes) {
		return (invocation) -> {
			List<KeyChange.Begun> begun = KeyChange.begin(changes);
			Object result = KeyChange.proceed(begun, invocation);
			warnOutsideOfTransaction();
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

	private void warnOutsideOfTransaction() {
		if (this.declaration.isOf(BloomAdd.class) && !ThreadTransaction.isActive()
				&& this.warned.compareAndSet(false, true)) {
			logger.warn(LogMessage
				.format("%s is called outside of a transaction, so others can see its row before its key"
						+ " is added, and a call for it in between is told that there is none. Put @Transactional on the"
						+ " method, or call it in a transaction; or write before = true if the key is known by then",
						this.declaration));
		}
	}

}
