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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.util.Assert;
import org.springframework.util.ObjectUtils;

/**
 * Operation of a {@code @BloomAdd} or a {@code @BloomRemove}.
 *
 * @param many whether each element of the key is one
 */
record KeyOperation(String filter, GuardExpression key, boolean many, @Nullable GuardExpression condition) {

	KeyOperation {
		Assert.hasText(filter, "'filter' must not be empty");
	}

	List<Object> keys(MethodInvocation invocation, @Nullable Object result) {
		if (this.condition != null && !this.condition.holds(invocation, result)) {
			return List.of();
		}
		Object value = this.key.evaluate(invocation, result);
		return this.many ? each(value) : one(value);
	}

	/**
	 * Return a value as the only key, even if it is a container.
	 */
	static List<Object> one(@Nullable Object value) {
		return (value != null) ? List.of(value) : List.of();
	}

	/**
	 * What has no elements is a key itself: a key that is not added hides a row.
	 */
	static List<Object> each(@Nullable Object value) {
		if (value instanceof Iterable<?> iterable) {
			List<Object> keys = new ArrayList<>();
			iterable.forEach((key) -> keys.addAll(one(key)));
			return keys;
		}
		if (value == null || value instanceof byte[] || !value.getClass().isArray()) {
			return one(value);
		}
		return Arrays.stream(ObjectUtils.toObjectArray(value)).filter(Objects::nonNull).toList();
	}

	boolean usesResult() {
		return this.key.usesResult() || (this.condition != null && this.condition.usesResult());
	}

}
