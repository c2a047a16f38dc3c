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
import java.util.function.Supplier;

import io.github.bloomguard.Membership;
import io.github.bloomguard.call.Answer;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.VerifiedAnswer;
import io.github.bloomguard.declaration.GuardExpression;
import io.github.bloomguard.declaration.GuardOperation;
import io.github.bloomguard.result.NothingFound;
import io.github.bloomguard.result.ResultContent;
import org.jspecify.annotations.Nullable;

/**
 * Asks the filter for the key of a call.
 */
final class KeyCheck extends FilterCheck {

	private final GuardExpression key;

	KeyCheck(GuardOperation operation, NothingFound nothing, Supplier<GuardedFilter> filter) {
		super(operation, nothing, filter);
		this.key = operation.key();
	}

	@Override
	Answer<Optional<FilterCheck>> decide(GuardedInvocation call) {
		Object key = applies(call.invocation()) ? this.key.evaluate(call.invocation(), null) : null;
		if (key == null) {
			return PASSED;
		}
		Answer<Decision> answer = filter().check(key);
		Decision known = answer.known();
		return (known != null) ? decide(call, key, known) : answer.then((verdict) -> decide(call, key, verdict));
	}

	private Answer<Optional<FilterCheck>> decide(GuardedInvocation call, Object key, Decision verdict) {
		if (verdict.answered() && nothing().isKnown()) {
			VerifiedAnswer verified = filter().draw(key, verdict);
			return (verified != null) ? stands(verified, call.verifyingCall())
				.then((stands) -> stands ? answered() : passed(call, key, Decision.LET_THROUGH)) : answered();
		}
		return passed(call, key, verdict);
	}

	private Answer<Optional<FilterCheck>> passed(GuardedInvocation call, Object key, Decision verdict) {
		call.passed(new KeyCheckOutcome(this, call, key, verdict));
		return PASSED;
	}

	private static final class KeyCheckOutcome extends MethodOutcome {

		private final GuardedInvocation call;

		private final Object key;

		KeyCheckOutcome(KeyCheck check, GuardedInvocation call, Object key, Decision verdict) {
			super(check, verdict);
			this.call = call;
			this.key = key;
		}

		@Override
		protected Object key() {
			return this.key;
		}

		/**
		 * A zero means that nothing was found where the filter says so. For a key that
		 * may be there it may be the value of its row, and is not remembered.
		 */
		@Override
		void found(@Nullable Object result) {
			if (!isAbsent() && ResultContent.isZero(result)) {
				return;
			}
			ResultContent content = ResultContent.of(result, this.call.invocation().getArguments());
			report(content);
			if (content == ResultContent.EMPTY) {
				nothing().returned(this.key, result, this::ifAbsent);
			}
			else {
				nothing().found(this.key);
			}
		}

		/**
		 * What a method throws whose type does not say so may be a failure as well, and
		 * is not remembered.
		 */
		@Override
		protected void threw(Throwable failure) {
			if (nothing().isMeantBy(failure)) {
				if (isAbsent() || nothing().isNoValue()) {
					report(ResultContent.EMPTY);
					nothing().failed(this.key, failure, this::ifAbsent);
				}
			}
			else if (isAbsent()) {
				nothing().unknown(failure);
			}
		}

		private void ifAbsent(Runnable action) {
			reporting(() -> filter().ifAbsent(this.key, verdict(), action));
		}

		private boolean isAbsent() {
			return verdict().membership() == Membership.ABSENT;
		}

		@Override
		void loaded(boolean empty) {
			filter().loaded(this.key, verdict(), empty, empty && this.call.isInTransaction());
		}

	}

}
