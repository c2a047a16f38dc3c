package io.github.bloomguard.interceptor;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Tells the key of a call.
 */
interface KeyExtractor {

	/**
	 * Return the key.
	 * @param invocation the call
	 * @param result what it has returned, if it is over
	 */
	@Nullable Object extract(MethodInvocation invocation, @Nullable Object result);

	/**
	 * Tell whether the key depends on the result.
	 */
	boolean usesResult();

}
