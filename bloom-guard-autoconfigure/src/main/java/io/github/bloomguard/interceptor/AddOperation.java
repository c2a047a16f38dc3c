package io.github.bloomguard.interceptor;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * What a {@code @BloomAdd} asks for.
 *
 * @param filter the name of the filter
 * @param key what tells the key or keys
 * @param condition when they are added, or {@code null} for always
 */
record AddOperation(String filter, KeyExtractor key, @Nullable GuardExpression condition) {

	AddOperation {
		Assert.hasText(filter, "'filter' must not be empty");
	}

	/**
	 * Tell whether it must be carried out for each single result.
	 */
	boolean usesResult() {
		return this.key.usesResult() || (this.condition != null && this.condition.usesResult());
	}

}
