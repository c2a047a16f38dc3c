package io.github.bloomguard.interceptor;

import java.util.concurrent.Executor;

import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Carries out {@code @BloomAdd}.
 *
 * @param source tells what a method asks for
 * @param executor where keys are added after a future has been completed
 */
record AddInterceptor(GuardOperationSource source, Executor executor) implements MethodInterceptor {

	@Override
	public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
		AddingMethod adding = this.source.find(invocation).added();
		return (adding != null) ? adding.invoke(invocation, this.executor) : invocation.proceed();
	}

}
