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
import java.util.function.Predicate;

import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

final class GuardPointcut extends StaticMethodMatcherPointcut {

	private final GuardOperationSource source;

	private final Predicate<GuardOperationSource.MethodAdvice> wanted;

	GuardPointcut(GuardOperationSource source, Predicate<GuardOperationSource.MethodAdvice> wanted) {
		this.source = source;
		this.wanted = wanted;
		setClassFilter(source.beans()::haveAnnotatedMethods);
	}

	void check(Object proxy, Advised advised) {
		Class<?> targetClass = advised.getTargetClass();
		if (targetClass != null) {
			this.source.beans().check(proxy.getClass(), targetClass);
		}
	}

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		return this.wanted.test(this.source.find(method, targetClass));
	}

}
