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

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;

import io.github.bloomguard.Loader;
import io.github.bloomguard.call.Answer;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.GuardedCall;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.VerifiedAnswer;
import io.github.bloomguard.declaration.GuardExpression;
import io.github.bloomguard.declaration.GuardOperation;
import io.github.bloomguard.logging.ThrottledLog;
import io.github.bloomguard.result.NothingFound;
import io.github.bloomguard.result.ResultContent;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * An operation and its filter, which a call has to pass. If the guard can't decide, for
 * whatever reason, the call passes.
 */
abstract sealed class FilterCheck permits KeyCheck, KeysCheck {

	static final Answer<Optional<FilterCheck>> PASSED = Answer.of(Optional.empty());

	private static final Answer<Boolean> STANDS = Answer.of(Boolean.TRUE);

	private final ThrottledLog failures = new ThrottledLog(FilterCheck.class);

	private final Answer<Optional<FilterCheck>> answered = Answer.of(Optional.of(this));

	private final GuardOperation operation;

	private final @Nullable GuardExpression condition;

	private final NothingFound nothing;

	private final Supplier<GuardedFilter> filter;

	FilterCheck(GuardOperation operation, NothingFound nothing, Supplier<GuardedFilter> filter) {
		this.operation = operation;
		this.nothing = nothing;
		this.condition = operation.condition();
		this.filter = filter;
	}

	static FilterCheck of(GuardOperation operation, NothingFound nothing, Supplier<GuardedFilter> filter) {
		return operation.many() ? new KeysCheck(operation, nothing, filter) : new KeyCheck(operation, nothing, filter);
	}

	/**
	 * Decide whether this answers a call, or the call passes. Never fails.
	 */
	final Answer<Optional<FilterCheck>> answering(GuardedInvocation call) {
		try {
			Answer<Optional<FilterCheck>> answer = decide(call);
			return (answer.known() != null) ? answer : answer.recover(this::unchecked);
		}
		catch (RuntimeException ex) {
			return Answer.of(unchecked(ex));
		}
	}

	abstract Answer<Optional<FilterCheck>> decide(GuardedInvocation call);

	/**
	 * Return the decision that this answers a call.
	 */
	final Answer<Optional<FilterCheck>> answered() {
		return this.answered;
	}

	final GuardedFilter filter() {
		return this.filter.get();
	}

	final boolean applies(MethodInvocation invocation) {
		return this.condition == null || this.condition.holds(invocation, null);
	}

	final NothingFound nothing() {
		return this.nothing;
	}

	/**
	 * Return whether a call may be answered with nothing.
	 */
	final Answer<Boolean> stands(VerifiedAnswer answer, Loader<CompletionStage<Boolean>, ?> call) {
		try {
			return answer.stands(found(call));
		}
		catch (RuntimeException ex) {
			failed("answers are not verified", ex);
			return STANDS;
		}
	}

	/**
	 * Return a call of which nothing is found if it throws what means that.
	 */
	final Loader<CompletionStage<Boolean>, RuntimeException> found(Loader<CompletionStage<Boolean>, ?> call) {
		return () -> {
			CompletionStage<Boolean> found;
			try {
				found = call.load();
			}
			catch (Throwable ex) {
				found = CompletableFuture.failedStage(ex);
			}
			return found.exceptionallyCompose((ex) -> this.nothing.isMeantBy(ex)
					? CompletableFuture.completedStage(Boolean.FALSE) : CompletableFuture.failedStage(ex));
		};
	}

	private Optional<FilterCheck> unchecked(Throwable cause) {
		failed("calls go through unchecked", cause);
		try {
			filter().unchecked();
		}
		catch (RuntimeException ex) {
			failed("unchecked calls can't be counted", ex);
		}
		return Optional.empty();
	}

	private void failed(String consequence, Throwable cause) {
		this.failures.error(
				LogMessage.format("%s failed (%s), so %s", this.operation.declaration(), this.operation, consequence),
				cause);
	}

	abstract static class MethodOutcome extends GuardedCall.CheckOutcome {

		private final FilterCheck check;

		MethodOutcome(FilterCheck check, Decision verdict) {
			super(check.filter(), verdict);
			this.check = check;
		}

		@Override
		protected final void returned(@Nullable Object result) {
			if (result instanceof CompletionStage<?> future) {
				follow(future);
			}
			else {
				found(result);
			}
		}

		private void follow(CompletionStage<?> future) {
			future.whenComplete((value, failure) -> {
				if (failure == null) {
					found(value);
				}
				else {
					threw(failure);
				}
			});
		}

		@Override
		protected void threw(Throwable failure) {
			if (this.check.nothing.isNamed(failure)) {
				found(null);
			}
		}

		final NothingFound nothing() {
			return this.check.nothing;
		}

		abstract void found(@Nullable Object result);

		abstract void loaded(boolean empty);

		/**
		 * Report whether the result is empty. A result that can't be looked at is not
		 * reported: neither answer would be true, and one of the two is an alarm.
		 */
		final void report(ResultContent content) {
			if (content != ResultContent.UNKNOWN) {
				reporting(() -> loaded(content == ResultContent.EMPTY));
			}
		}

		final void reporting(Runnable report) {
			try {
				report.run();
			}
			catch (RuntimeException ex) {
				this.check.failed("results are not reported", ex);
			}
		}

	}

}
