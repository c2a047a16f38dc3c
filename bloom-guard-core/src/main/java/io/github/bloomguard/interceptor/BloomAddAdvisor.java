package io.github.bloomguard.interceptor;

import java.util.concurrent.Executor;

import io.github.bloomguard.annotation.BloomAdd;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.core.Ordered;

/**
 * Adds keys after {@link BloomAdd} methods. It has to stand inside the transaction of the
 * method, so that the keys are there before the row can be seen.
 * <p>
 * The transaction advisor has the lowest precedence already, so no order puts this one
 * after it for certain: advisors of the same order keep the order in which their beans
 * were registered. {@link BloomGuardPostProcessor} therefore moves this advisor to the
 * end of each proxy's chain.
 *
 * @since 0.1.0
 */
public final class BloomAddAdvisor extends DefaultPointcutAdvisor {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an advisor with the lowest precedence.
	 * @param source finds the annotated methods
	 * @param executor where keys are added after a {@code CompletableFuture} has been
	 * completed; its threads wait for Redis
	 */
	public BloomAddAdvisor(GuardOperationSource source, Executor executor) {
		super(new GuardPointcut(source, (advice) -> advice.adding() != null), new AddInterceptor(source, executor));
		setOrder(Ordered.LOWEST_PRECEDENCE);
	}

	/**
	 * Carries out {@code @BloomAdd}.
	 *
	 * @param source tells what a method asks for
	 * @param executor where keys are added after a future has been completed
	 */
	private record AddInterceptor(GuardOperationSource source, Executor executor) implements MethodInterceptor {

		@Override
		public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
			AddingMethod adding = this.source.find(invocation).adding();
			return (adding != null) ? adding.invoke(invocation, this.executor) : invocation.proceed();
		}

	}

}
