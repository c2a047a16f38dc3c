package io.github.bloomguard.interceptor;

import java.lang.reflect.Method;
import java.util.function.Predicate;

import org.springframework.aop.framework.Advised;
import org.springframework.aop.support.StaticMethodMatcherPointcut;

/**
 * Matches the methods around which something is done.
 */
final class GuardPointcut extends StaticMethodMatcherPointcut {

	private final GuardOperationSource source;

	private final Predicate<GuardOperationSource.MethodAdvice> wanted;

	GuardPointcut(GuardOperationSource source, Predicate<GuardOperationSource.MethodAdvice> wanted) {
		this.source = source;
		this.wanted = wanted;
		setClassFilter(source::hasAnnotatedMethods);
	}

	/**
	 * Refuse annotations on methods that a proxy does not intercept.
	 */
	void check(Object proxy, Advised advised) {
		Class<?> targetClass = advised.getTargetClass();
		if (targetClass != null) {
			this.source.check(proxy.getClass(), targetClass);
		}
	}

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		return this.wanted.test(this.source.find(method, targetClass));
	}

}
