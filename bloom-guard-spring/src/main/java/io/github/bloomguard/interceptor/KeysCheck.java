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

import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import io.github.bloomguard.call.Answer;
import io.github.bloomguard.call.Candidates;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.declaration.GuardOperation;
import io.github.bloomguard.result.NothingFound;
import io.github.bloomguard.result.ResultContent;
import org.jspecify.annotations.Nullable;

/**
 * Asks the filter for the many keys of a call, and leaves those out that can't exist.
 */
final class KeysCheck extends FilterCheck {

	private final KeysParameter parameter;

	KeysCheck(GuardOperation operation, NothingFound nothing, Supplier<GuardedFilter> filter) {
		super(operation, nothing, filter);
		this.parameter = KeysParameter.of(operation.declaration(), operation.key());
	}

	@Override
	Answer<Optional<FilterCheck>> decide(GuardedInvocation call) {
		Asked asked = ask(call);
		return (asked != null)
				? filter().possible(asked.keys())
					.then((candidates) -> candidates.verified().isEmpty() ? decide(call, asked, candidates)
							: verified(call, asked, candidates).then((verified) -> decide(call, asked, verified)))
				: PASSED;
	}

	private @Nullable Asked ask(GuardedInvocation call) {
		Object argument = call.argument(this.parameter.index());
		if (argument == null || !applies(call.invocation())) {
			return null;
		}
		Object repeatable = this.parameter.repeatable(argument);
		if (repeatable != argument) {
			call.replaceArgument(this.parameter.index(), repeatable);
		}
		List<@Nullable Object> keys = this.parameter.keys(repeatable);
		return keys.isEmpty() ? null : new Asked(repeatable, keys);
	}

	private Answer<Optional<FilterCheck>> decide(GuardedInvocation call, Asked asked, Candidates candidates) {
		List<@Nullable Object> keys = asked.keys();
		BitSet kept = (BitSet) candidates.positions().clone();
		for (int i = 0; i < keys.size(); i++) {
			if (keys.get(i) == null) {
				kept.set(i);
			}
		}
		if (kept.isEmpty() && nothing().isKnown()) {
			return answered();
		}
		if (!kept.isEmpty() && kept.cardinality() < keys.size()) {
			call.replaceArgument(this.parameter.index(), this.parameter.narrow(asked.argument(), keys, kept));
		}
		call.passed(new KeysCheckOutcome(this, call, asked, candidates));
		return PASSED;
	}

	/**
	 * Verify keys, by calls that are made from a copy of this one if no source can tell.
	 */
	private Answer<Candidates> verified(GuardedInvocation call, Asked asked, Candidates candidates) {
		GuardedInvocation detached = call.detached();
		return filter().verify(asked.keys(), candidates, (positions) -> found(detached
			.verifyingCall(this.parameter.index(), this.parameter.narrow(asked.argument(), asked.keys(), positions))));
	}

	private record Asked(Object argument, List<@Nullable Object> keys) {
	}

	private static final class KeysCheckOutcome extends MethodOutcome {

		private final int parameter;

		private final GuardedInvocation call;

		private final Asked asked;

		private final Candidates candidates;

		private final @Nullable Object passed;

		/**
		 * If another check leaves out more keys, it is not known whether they are absent.
		 */
		KeysCheckOutcome(KeysCheck check, GuardedInvocation call, Asked asked, Candidates candidates) {
			super(check, candidates.verdict());
			this.parameter = check.parameter.index();
			this.call = call;
			this.asked = asked;
			this.candidates = candidates;
			this.passed = call.argument(this.parameter);
		}

		@Override
		protected boolean isOfInterest() {
			return !this.candidates.absent().isEmpty() || super.isOfInterest();
		}

		@Override
		void found(@Nullable Object result) {
			if (isOfInterest() && this.call.argument(this.parameter) == this.passed) {
				report(ResultContent.ofMany(result));
			}
		}

		@Override
		void loaded(boolean empty) {
			filter().loaded(this.asked.keys(), this.candidates, empty);
		}

	}

}
