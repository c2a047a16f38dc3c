package io.github.bloomguard.interceptor;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * A key that is an argument as it is.
 *
 * @param index the position of the argument
 */
record ArgumentKey(int index) implements KeyExtractor {

	@Override
	public @Nullable Object extract(MethodInvocation invocation, @Nullable Object result) {
		return invocation.getArguments()[this.index];
	}

	@Override
	public boolean usesResult() {
		return false;
	}

	@Override
	public String toString() {
		return "#p" + this.index;
	}

}
