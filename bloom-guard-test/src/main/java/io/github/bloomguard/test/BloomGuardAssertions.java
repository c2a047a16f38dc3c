package io.github.bloomguard.test;

import java.lang.reflect.Method;
import java.util.Arrays;

import org.springframework.aop.framework.AopProxyUtils;
import org.springframework.util.ClassUtils;

/**
 * Entry point for assertions about guarded methods:
 * {@code assertThatMethod(products, "findById", long.class).isGuardedBy("products").withKey("#id")}.
 *
 * @since 0.1.0
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
		return new GuardedMethodAssert(bean, method);
	}

}
