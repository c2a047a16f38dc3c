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

package io.github.bloomguard.declaration;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.springframework.cache.interceptor.CacheableOperation;
import org.springframework.util.StringUtils;

/**
 * The key of a method in a cache, whatever the names of its parameters.
 */
final class CacheKey {

	private static final Pattern VARIABLE = Pattern.compile("#(\\w+)");

	private CacheKey() {
	}

	/**
	 * Of a key generator nothing is known.
	 */
	static void check(GuardOperation operation, CacheableOperation cacheable) {
		AnnotatedMethod method = operation.declaration().method();
		GuardExpression key = operation.key();
		if (operation.many() || StringUtils.hasText(cacheable.getUnless()) || !cacheable.getKeyGenerator().isEmpty()) {
			return;
		}
		String cached = cacheable.getKey().isEmpty() ? defaultKey(method) : canonical(cacheable.getKey(), method);
		if (!cached.equals(canonical(key.toString(), method))) {
			throw operation.declaration()
				.invalid("key", key.toString(),
						"is not the key of " + cacheable.getCacheNames()
								+ " there, so a null value in that cache would go on hiding a row that is added",
						"write the same key in both annotations, or unless = \"#result == null\" in @Cacheable, or take"
								+ " the cache out of bloom-guard.filters." + operation.filter() + ".caches",
						null);
		}
	}

	private static String defaultKey(AnnotatedMethod method) {
		String all = IntStream.range(0, method.parameterCount())
			.mapToObj((index) -> "#" + index)
			.collect(Collectors.joining(","));
		return (method.parameterCount() == 1) ? all : "{" + all + "}";
	}

	private static String canonical(String expression, AnnotatedMethod method) {
		return VARIABLE.matcher(expression.replaceAll("\\s", "")).replaceAll((variable) -> {
			Integer parameter = method.parameter(variable.group(1));
			return Matcher.quoteReplacement("#" + ((parameter != null) ? parameter : variable.group(1)));
		});
	}

}
