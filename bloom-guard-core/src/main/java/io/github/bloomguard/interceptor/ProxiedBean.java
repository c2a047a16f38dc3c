package io.github.bloomguard.interceptor;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;

import org.springframework.aop.support.AopUtils;
import org.springframework.util.ClassUtils;

/**
 * A proxy and its bean: what the one intercepts of the other.
 *
 * @param proxy the class of the proxy
 * @param target the class of the bean
 */
record ProxiedBean(Class<?> proxy, Class<?> target) {

	/**
	 * What to write instead of what is final.
	 */
	static final String NOT_FINAL = "remove final, or in Kotlin use the plugin kotlin-spring or write open";

	/**
	 * Tell whether there can be a proxy that intercepts something: one with the
	 * interfaces of the bean, if its class can't have a subclass.
	 * @param target the class of the bean
	 * @param methods the annotated methods
	 */
	static boolean isPossible(Class<?> target, List<Method> methods) {
		return !(Modifier.isFinal(target.getModifiers()) || Enum.class.isAssignableFrom(target)) || methods.stream()
			.anyMatch((method) -> isInInterface(AopUtils.getMostSpecificMethod(method, target), target, target));
	}

	/**
	 * Refuse an annotation on a method that the proxy does not intercept. What an
	 * annotation on the class says about such a method does not matter if nobody can call
	 * it but the bean itself.
	 * @param declaration the annotation
	 * @param method the method of the bean's class
	 */
	void check(Declaration declaration, Method method) {
		if (Proxy.isProxyClass(this.proxy)) {
			if (!isInInterface(method, this.proxy, this.target) && !GuardAnnotations.of(method).isEmpty()) {
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
