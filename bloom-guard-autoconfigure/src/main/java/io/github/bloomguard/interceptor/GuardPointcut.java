package io.github.bloomguard.interceptor;

import java.lang.reflect.Method;
import java.util.function.Predicate;

import org.springframework.aop.support.StaticMethodMatcherPointcut;

/**
 * Matches the methods around which something is done.
 */
final class GuardPointcut extends StaticMethodMatcherPointcut {

	private final GuardOperationSource source;

	private final Predicate<MethodGuards> wanted;

	GuardPointcut(GuardOperationSource source, Predicate<MethodGuards> wanted) {
		this.source = source;
		this.wanted = wanted;
		setClassFilter(source::hasAnnotatedMethods);
	}

	@Override
	public boolean matches(Method method, Class<?> targetClass) {
		return this.wanted.test(this.source.find(method, targetClass));
	}

}
