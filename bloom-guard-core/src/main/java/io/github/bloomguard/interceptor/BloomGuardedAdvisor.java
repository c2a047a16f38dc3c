package io.github.bloomguard.interceptor;

import io.github.bloomguard.annotation.BloomGuarded;
import org.aopalliance.intercept.MethodInterceptor;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.aop.support.DefaultPointcutAdvisor;
import org.springframework.core.Ordered;

/**
 * Puts {@link BloomGuarded} methods behind their filters. It stands outside caches and
 * transactions, whose advisors have the lowest precedence: a call that is answered by the
 * guard asks no cache and opens no transaction.
 * <p>
 * A method that returns a reactive type or a {@code CompletableFuture}, or is a Kotlin
 * {@code suspend} function, does not make its caller wait for the filter. It may
 * therefore be called by another thread than that of its caller, and does not see what is
 * bound to the caller's thread.
 *
 * @since 0.1.0
 */
public final class BloomGuardedAdvisor extends DefaultPointcutAdvisor {

	/**
	 * The default order.
	 */
	public static final int DEFAULT_ORDER = Ordered.LOWEST_PRECEDENCE - 100;

	private static final long serialVersionUID = 1L;

	/**
	 * Create an advisor with the default order.
	 * @param source finds the annotated methods
	 */
	public BloomGuardedAdvisor(GuardOperationSource source) {
		super(new GuardPointcut(source, (advice) -> advice.guard() != null), new GuardInterceptor(source));
		setOrder(DEFAULT_ORDER);
	}

	/**
	 * Carries out {@code @BloomGuarded}.
	 *
	 * @param source tells what a method asks for
	 */
	private record GuardInterceptor(GuardOperationSource source) implements MethodInterceptor {

		@Override
		public @Nullable Object invoke(MethodInvocation invocation) throws Throwable {
			MethodInterceptor guard = this.source.find(invocation).guard();
			return (guard != null) ? guard.invoke(invocation) : invocation.proceed();
		}

	}

}
