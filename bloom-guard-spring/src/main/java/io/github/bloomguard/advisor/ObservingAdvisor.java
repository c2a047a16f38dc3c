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

package io.github.bloomguard.advisor;

import java.lang.reflect.Method;
import java.util.concurrent.CompletionStage;

import io.github.bloomguard.logging.ThrottledLog;
import io.github.bloomguard.result.NotFound;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;
import org.springframework.core.log.LogMessage;

/**
 * Counts the loads of observed methods. A result is left as it is, and so is a failure.
 */
final class ObservingAdvisor extends StaticMethodMatcherPointcutAdvisor {

	private static final long serialVersionUID = 1L;

	private final transient ThrottledLog unread = new ThrottledLog(ObservingAdvisor.class);

	private final transient ThrottledLog uncounted = new ThrottledLog(ObservingAdvisor.class);

	private final transient LoadObserver observer;

	ObservingAdvisor(LoadObserver observer) {
		this.observer = observer;
		setAdvice((MethodInterceptor) this::invoke);
	}

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		try {
			return this.observer.observe(method, targetClass);
		}
		catch (RuntimeException ex) {
			this.unread.warn(LogMessage.format("Loads of %s are not counted", method), ex);
			return false;
		}
	}

	private @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		Object target = invocation.getThis();
		ObservedMethod method = (target != null) ? this.observer.find(invocation.getMethod(), target.getClass()) : null;
		if (method == null) {
			return invocation.proceed();
		}
		@Nullable Object[] arguments = invocation.getArguments();
		long start = System.nanoTime();
		Object result;
		try {
			result = invocation.proceed();
		}
		catch (Throwable ex) {
			count(() -> method.failed(arguments, ex, start));
			throw ex;
		}
		if (result instanceof CompletionStage<?> stage) {
			stage.whenComplete((value, failure) -> count(() -> {
				if (failure != null) {
					method.failed(arguments, NotFound.cause(failure), start);
				}
				else {
					method.returned(arguments, value, start);
				}
			}));
		}
		else {
			count(() -> method.returned(arguments, result, start));
		}
		return result;
	}

	/**
	 * Count a load. The hash code of the application's key may fail.
	 */
	private void count(Runnable load) {
		try {
			load.run();
		}
		catch (RuntimeException ex) {
			this.uncounted.warn("Loads can't be counted", ex);
		}
	}

}
