package io.github.bloomguard.interceptor;

import java.time.Duration;

import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;

/**
 * What a {@code @BloomGuarded} asks for.
 *
 * @param declaration the annotation
 * @param filter the name of the filter
 * @param key what tells the key, or {@code null} if there are many
 * @param keys the parameter that holds many keys, or {@code null} if there is one
 * @param condition when the filter is asked, or {@code null} for always
 * @param emptyTtl how long a key that is not found is remembered, or {@code null} for as
 * long as the filter says
 * @param missing what is thrown if nothing can be found, or {@code null} for the empty
 * value
 */
record GuardOperation(Declaration declaration, String filter, @Nullable GuardExpression key,
		@Nullable KeysParameter keys, @Nullable GuardExpression condition, @Nullable Duration emptyTtl,
		@Nullable Missing missing) {

	GuardOperation {
		Assert.hasText(filter, "'filter' must not be empty");
		Assert.isTrue((key == null) != (keys == null), "Either 'key' or 'keys' must be given");
		Assert.isTrue(emptyTtl == null || !emptyTtl.isNegative(), "'emptyTtl' must not be negative");
	}

}
