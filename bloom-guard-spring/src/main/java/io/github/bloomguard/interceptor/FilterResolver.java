/*
 * Copyright 2026-present the original author or authors.
 *
 * Licensed under the Apache License, Version 2.0 (the "License");
 * you may not use this file except in compliance with the License.
 * You may obtain a copy of the License at
 *
 *      https://www.apache.org/licenses/LICENSE-2.0
 *
 * Unless required by applicable law or agreed to in writing, software
 * distributed under the License is distributed on an "AS IS" BASIS,
 * WITHOUT WARRANTIES OR CONDITIONS OF ANY KIND, either express or implied.
 * See the License for the specific language governing permissions and
 * limitations under the License.
 */

package io.github.bloomguard.interceptor;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.function.Supplier;

import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.GuardedFilters;
import io.github.bloomguard.call.WrittenFilter;
import io.github.bloomguard.declaration.AnnotatedMethod;
import io.github.bloomguard.declaration.Declaration;
import io.github.bloomguard.declaration.GuardOperation;
import io.github.bloomguard.declaration.ReturnTypes;
import org.jspecify.annotations.Nullable;

import org.springframework.format.datetime.standard.DurationFormatterUtils;
import org.springframework.util.StringUtils;
import org.springframework.util.StringValueResolver;
import org.springframework.util.function.SingletonSupplier;

/**
 * Gives operations their filters.
 */
record FilterResolver(Supplier<? extends GuardedFilters> filters, GuardedMethods guarded,
		StringValueResolver placeholders) {

	private static final int SCOPE_BYTES = 16;

	/**
	 * Return what gives the filter whose keys are changed.
	 */
	Supplier<WrittenFilter> written(GuardOperation operation) {
		return SingletonSupplier.of(() -> this.filters.get().written(operation.filter()));
	}

	/**
	 * Return what gives the filter that is asked.
	 * <p>
	 * A method has empty sentinels if finding nothing means that the key is not there: it
	 * asks one filter, its only argument is the key, and it returns one thing rather than
	 * many. An {@code emptyTtl} says that this holds although it doesn't look so; for a
	 * cached method only if nothing is an exception, which a cache does not remember.
	 * @param throwing whether nothing is an exception
	 */
	Supplier<GuardedFilter> asked(GuardOperation operation, boolean single, boolean throwing) {
		AnnotatedMethod method = operation.declaration().method();
		Duration emptyTtl = emptyTtl(operation.declaration());
		return SingletonSupplier.of(() -> {
			GuardedFilter filter = this.filters.get().get(operation.filter());
			if (!single || (this.guarded.isCacheable(method) && (emptyTtl == null || !throwing))
					|| (emptyTtl == null && !isAboutTheKeyOnly(operation, method))) {
				return filter.withEmptyTtl(Duration.ZERO);
			}
			GuardedFilter scoped = filter.scopedTo(scope(method));
			return (emptyTtl != null) ? scoped.withEmptyTtl(emptyTtl) : scoped;
		});
	}

	private static boolean isAboutTheKeyOnly(GuardOperation operation, AnnotatedMethod method) {
		return !operation.many() && operation.key().isArgument() && method.parameterCount() == 1
				&& ReturnTypes.isSingle(method.returnType());
	}

	private @Nullable Duration emptyTtl(Declaration declaration) {
		String text = declaration.text("emptyTtl");
		if (!StringUtils.hasText(text)) {
			return null;
		}
		Duration emptyTtl;
		try {
			String resolved = this.placeholders.resolveStringValue(text);
			emptyTtl = DurationFormatterUtils.detectAndParse((resolved != null) ? resolved.trim() : "");
		}
		catch (IllegalArgumentException | ArithmeticException ex) {
			throw declaration.invalid("emptyTtl", text, "is not a duration", "write a duration such as 30s or PT30S",
					ex);
		}
		if (emptyTtl.isNegative()) {
			throw declaration.invalid("emptyTtl", text, "is negative",
					"write a duration such as 30s, or 0s to remember nothing", null);
		}
		return emptyTtl;
	}

	/**
	 * Short, because it is kept with each sentinel, and that of no other method, which
	 * would answer for this one.
	 */
	private static String scope(AnnotatedMethod method) {
		try {
			byte[] hash = MessageDigest.getInstance("SHA-256")
				.digest(method.identity().getBytes(StandardCharsets.UTF_8));
			return HexFormat.of().formatHex(hash, 0, SCOPE_BYTES);
		}
		catch (NoSuchAlgorithmException ex) {
			throw new IllegalStateException("Each Java has SHA-256", ex);
		}
	}

}
