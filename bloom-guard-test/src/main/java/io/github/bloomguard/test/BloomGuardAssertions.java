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

package io.github.bloomguard.test;

import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Arrays;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.util.ClassUtils;

/**
 * Entry point for assertions about guarded methods:
 * {@code assertThatMethod(products, "findById", long.class).isGuardedBy("products").withKey("#id")}.
 *
 * @since 1.0.0
 */
public final class BloomGuardAssertions {

	private BloomGuardAssertions() {
	}

	/**
	 * Begin an assertion about a method of a bean.
	 * @param bean the bean, as other beans are given it
	 * @param name the name of the method
	 * @param parameterTypes the types of its parameters
	 * @return the assertion
	 * @throws IllegalArgumentException if there is no such method
	 */
	public static GuardedMethodAssert assertThatMethod(Object bean, String name, Class<?>... parameterTypes) {
		Method method = ClassUtils.getMethodIfAvailable(bean.getClass(), name, parameterTypes);
		if (method == null) {
			throw new IllegalArgumentException("There is no public method " + name + Arrays.toString(parameterTypes)
					+ " in " + AopProxyUtils.ultimateTargetClass(bean).getName());
		}
		return new GuardedMethodAssert(bean, declared(method, bean));
	}

	/**
	 * Return the method of the interface instead of that of a proxy of interfaces, which
	 * has no names of parameters.
	 */
	private static Method declared(Method method, Object bean) {
		return Proxy.isProxyClass(bean.getClass()) ? ClassUtils.getInterfaceMethodIfPossible(method, bean.getClass())
				: method;
	}

}
