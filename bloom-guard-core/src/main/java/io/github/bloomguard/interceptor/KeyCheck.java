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

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.github.bloomguard.Verdict;
import io.github.bloomguard.call.GuardedFilter;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

/**
 * Asks the filter for the one key of a call.
 */
final class KeyCheck extends FilterCheck {

	private final GuardExpression key;

	KeyCheck(GuardOperation operation, GuardExpression key, Supplier<GuardedFilter> filter) {
		super(operation, filter);
		this.key = key;
	}

	@Override
	boolean decide(GuardedCall call) {
		Object key = key(call.invocation());
		return key == null || passes(call, key, filter().check(key));
	}

	@Override
	CompletableFuture<Boolean> decideAsync(GuardedCall call) {
		Object key = key(call.invocation());
		return (key != null) ? filter().checkAsync(key).thenApply((verdict) -> passes(call, key, verdict)) : PASSED;
	}

	private boolean passes(GuardedCall call, Object key, Verdict verdict) {
		if (verdict.answered()) {
			if (filter().isAudited(verdict)) {
				audit(key, call::auditCall);
			}
			call.answeredBy(this);
			return false;
		}
		call.passed(this, verdict, new KeyPassage(this, key, verdict));
		return true;
	}

	/**
	 * Return the key of a call, or {@code null} if it is not to be checked.
	 */
	@Nullable Object key(MethodInvocation invocation) {
		try {
			return applies(invocation) ? this.key.evaluate(invocation, null) : null;
		}
		catch (RuntimeException ex) {
			unchecked(ex);
			return null;
		}
	}

	/**
	 * Return what the filter says, or {@code null} if it can't be asked.
	 */
	@Nullable Verdict check(Object key) {
		try {
			return filter().check(key);
		}
		catch (RuntimeException ex) {
			unchecked(ex);
			return null;
		}
	}

	/**
	 * Tell the filter what a call has returned, or its future is completed with.
	 */
	void returned(Object key, Verdict verdict, @Nullable Object result) {
		if (result instanceof CompletionStage<?> future) {
			new KeyPassage(this, key, verdict).follow(future);
		}
		else {
			report(ResultContent.of(result), (empty) -> filter().loaded(key, verdict, empty));
		}
	}

	/**
	 * A key that may be there.
	 */
	private record KeyPassage(KeyCheck check, Object key, Verdict verdict) implements Passage {

		@Override
		public void returned(@Nullable Object result) {
			this.check.returned(this.key, this.verdict, result);
		}

	}

}
