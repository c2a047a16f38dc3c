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
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;

import io.github.bloomguard.declaration.Declaration;

import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/**
 * A bean and its proxy, by their classes.
 */
record ProxiedBean(Class<?> proxy, Class<?> target) {

	static final String NOT_FINAL = "remove final, or in Kotlin use the plugin kotlin-spring or write open";

	/**
	 * A class that can't have a subclass may have a proxy with its interfaces.
	 */
	static boolean isPossible(Class<?> target, List<Method> methods) {
		return !(Modifier.isFinal(target.getModifiers()) || Enum.class.isAssignableFrom(target)) || methods.stream()
			.anyMatch((method) -> isInInterface(AopUtils.getMostSpecificMethod(method, target), target, target));
	}

	/**
	 * An annotation on the class means no method that only the bean can call.
	 */
	void check(Declaration declaration) {
		Method method = declaration.method().method();
		if (Proxy.isProxyClass(this.proxy)) {
			if (!isInInterface(method, this.proxy, this.target) && declaration.isOnMethod()) {
				throw declaration.invalid("is on a method of no interface, but the proxy of the bean has only those",
						"declare the method in an interface of the bean, or set spring.aop.proxy-target-class to true");
			}
		}
		else if (Modifier.isFinal(method.getModifiers())) {
			throw declaration.invalid("is on a final method, which no proxy can override", NOT_FINAL);
		}
		else if (!isVisible(method)) {
			throw declaration.invalid("is on a method that the proxy of the bean can't see", "make it public");
		}
	}

	private static boolean isInInterface(Method method, Class<?> implementing, Class<?> target) {
		return ClassUtils.getAllInterfacesForClassAsSet(implementing)
			.stream()
			.flatMap((type) -> Arrays.stream(type.getMethods()))
			.anyMatch((declared) -> method.equals(AopUtils.getMostSpecificMethod(declared, target)));
	}

	private boolean isVisible(Method method) {
		Class<?> type = method.getDeclaringClass();
		return (method.getModifiers() & (Modifier.PUBLIC | Modifier.PROTECTED)) != 0
				|| (type.getPackageName().equals(this.proxy.getPackageName())
						&& type.getClassLoader() == this.proxy.getClassLoader());
	}

}
