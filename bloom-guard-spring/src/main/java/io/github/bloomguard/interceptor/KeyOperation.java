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
import java.util.Collections;
import java.util.List;

import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.expression.EvaluationException;
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

	/**
	 * Return the keys of the rows that a call has changed, {@code null} for one that is
	 * not known yet. Without a result there are none, if they or the condition can't be
	 * told without it.
	 */
	List<@Nullable Object> keys(MethodInvocation invocation, @Nullable Object result) {
		try {
			if (this.condition != null && !this.condition.holds(invocation, result)) {
				return List.of();
			}
			Object value = this.key.evaluate(invocation, result);
			if (value == null && result == null && this.key.usesResult()) {
				return List.of();
			}
			return this.many ? each(value) : Collections.singletonList(value);
		}
		catch (EvaluationException ex) {
			if (result == null && usesResult()) {
				return List.of();
			}
			throw ex;
		}
	}

	/**
	 * What has no elements is a key itself: a key that is not added hides a row.
	 */
	static List<@Nullable Object> each(@Nullable Object value) {
		if (value instanceof Iterable<?> iterable) {
			List<@Nullable Object> keys = new ArrayList<>();
			iterable.forEach(keys::add);
			return keys;
		}
		if (value == null || value instanceof byte[] || !value.getClass().isArray()) {
			return Collections.singletonList(value);
		}
		return Arrays.asList(ObjectUtils.toObjectArray(value));
	}

	boolean usesResult() {
		return this.key.usesResult() || (this.condition != null && this.condition.usesResult());
	}

}
