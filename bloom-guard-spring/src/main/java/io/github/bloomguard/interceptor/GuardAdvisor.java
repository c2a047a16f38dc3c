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

import java.lang.reflect.Method;
import java.util.function.Function;

import io.github.bloomguard.interceptor.MethodAdviceSource.MethodAdvice;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.StaticMethodMatcherPointcutAdvisor;

/**
 * Puts a part of their advice around annotated methods.
 */
abstract sealed class GuardAdvisor extends StaticMethodMatcherPointcutAdvisor implements MethodInterceptor
		permits BloomGuardedAdvisor, KeyChangeAdvisor {

	private static final long serialVersionUID = 1L;

	private final transient MethodAdviceSource source;

	private final transient Function<MethodAdvice, @Nullable MethodInterceptor> part;

	GuardAdvisor(MethodAdviceSource source, Function<MethodAdvice, @Nullable MethodInterceptor> part, int order) {
		this.source = source;
		this.part = part;
		setClassFilter(source.beans()::haveAnnotatedMethods);
		setAdvice(this);
		setOrder(order);
	}

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		return this.part.apply(this.source.find(method, targetClass)) != null;
	}

	@Override
	public final @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		MethodInterceptor advice = this.part.apply(this.source.find(invocation));
		return (advice != null) ? advice.invoke(invocation) : invocation.proceed();
	}

	void check(Object proxy, Advised advised) {
		Class<?> targetClass = advised.getTargetClass();
		if (targetClass != null) {
			this.source.beans().check(proxy.getClass(), targetClass);
		}
	}

}
