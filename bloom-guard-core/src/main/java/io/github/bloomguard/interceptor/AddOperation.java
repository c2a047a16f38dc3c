package io.github.bloomguard.interceptor;

import java.util.List;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * What a {@code @BloomAdd} asks for.
 *
 * @param filter the name of the filter
 * @param key what tells the key or the keys
 * @param many whether each element of that is a key
 * @param condition when they are added, or {@code null} for always
 */
record AddOperation(String filter, GuardExpression key, boolean many, @Nullable GuardExpression condition) {

	AddOperation {
		Assert.hasText(filter, "'filter' must not be empty");
	}

	/**
	 * Return the keys of a call.
	 * @param invocation the call
	 * @param result what it has returned
	 */
	List<Object> keys(MethodInvocation invocation, @Nullable Object result) {
		Object value = this.key.evaluate(invocation, result);
		return this.many ? AddedKeys.each(value) : AddedKeys.one(value);
	}

	/**
	 * Tell whether it must be carried out for each single result.
	 */
	boolean usesResult() {
		return this.key.usesResult() || (this.condition != null && this.condition.usesResult());
	}

}
