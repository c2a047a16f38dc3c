package io.github.bloomguard.interceptor;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Carries out {@code @BloomGuarded}.
 *
 * @param source tells what a method asks for
 */
record GuardInterceptor(GuardOperationSource source) implements MethodInterceptor {

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		ReadGuard guard = this.source.find(invocation).read();
		return (guard != null) ? guard.invoke(invocation) : invocation.proceed();
	}

}
