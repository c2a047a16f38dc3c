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
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import io.github.bloomguard.declaration.Declaration;
import io.github.bloomguard.declaration.GuardDeclarations;
import io.github.bloomguard.interceptor.MethodAdviceSource.MethodAdvice;

import org.springframework.util.ClassUtils;

/**
 * Tells which beans have annotated methods, and refuses those whose proxy does not
 * intercept them.
 */
final class AnnotatedBeans {

	private final GuardDeclarations declarations;

	private final MethodAdviceSource source;

	private final Map<Class<?>, Boolean> annotatedClasses = new ConcurrentHashMap<>();

	private final Set<ProxiedBean> checked = ConcurrentHashMap.newKeySet();

	AnnotatedBeans(GuardDeclarations declarations, MethodAdviceSource source) {
		this.declarations = declarations;
		this.source = source;
	}

	boolean haveAnnotatedMethods(Class<?> targetClass) {
		Boolean found = this.annotatedClasses.get(targetClass);
		if (found == null) {
			List<Method> methods = annotatedMethods(targetClass);
			found = !methods.isEmpty();
			if (found && !ProxiedBean.isPossible(targetClass, methods)) {
				throw this.declarations.find(methods.get(0), targetClass)
					.get(0)
					.invalid("is on a method of a final class and of no interface, so no proxy can intercept it",
							ProxiedBean.NOT_FINAL + "; a record or an enum needs an interface");
			}
			this.annotatedClasses.put(targetClass, found);
		}
		return found;
	}

	void check(Class<?> proxyClass, Class<?> targetClass) {
		ProxiedBean bean = new ProxiedBean(proxyClass, targetClass);
		if (!Proxy.isProxyClass(targetClass) && !this.checked.contains(bean)) {
			List<List<Declaration>> methods = annotatedMethods(targetClass).stream()
				.map((method) -> this.declarations.find(method, targetClass))
				.toList();
			methods.forEach((declarations) -> bean.check(declarations.get(0)));
			if (this.checked.add(bean)) {
				SelfCalls.warn(ClassUtils.getUserClass(targetClass), methods);
			}
		}
	}

	private List<Method> annotatedMethods(Class<?> targetClass) {
		return this.declarations.candidates(targetClass)
			.stream()
			.filter((method) -> this.source.find(method, targetClass) != MethodAdvice.NONE)
			.toList();
	}

}
