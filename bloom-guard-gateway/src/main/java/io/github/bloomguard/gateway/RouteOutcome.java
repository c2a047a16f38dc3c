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

package io.github.bloomguard.gateway;

import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.GuardedCall;
import io.github.bloomguard.call.GuardedCall.CheckOutcome;
import io.github.bloomguard.call.GuardedFilter;
import org.jspecify.annotations.Nullable;

import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;

/**
 * Tells a filter what a request has found that was forwarded: nothing, if it was answered
 * by 404, and something, if it has succeeded. Any other answer proves nothing, nor does
 * one to a request for many keys.
 */
final class RouteOutcome extends CheckOutcome {

	private final @Nullable String key;

	private final Decision asked;

	private RouteOutcome(GuardedFilter filter, @Nullable String key, Decision verdict) {
		super(filter, verdict);
		this.key = key;
		this.asked = verdict;
	}

	/**
	 * Begin a request that passes.
	 * @param key {@code null} if it asks for many
	 * @throws io.github.bloomguard.LoadRejectedException if too many pass already
	 */
	static GuardedCall begin(GuardedFilter filter, @Nullable String key, Decision verdict) {
		GuardedCall call = new GuardedCall();
		// what a gateway has not found is not remembered: it knows of no transaction
		call.passed(new RouteOutcome(filter, key, verdict.unremembered()));
		return call.begin();
	}

	/**
	 * Return whether an answer says that there is a row, {@code null} if it proves
	 * nothing.
	 */
	static @Nullable Boolean found(@Nullable HttpStatusCode status) {
		if (status == null) {
			return null;
		}
		return status.isSameCodeAs(HttpStatus.NOT_FOUND) ? Boolean.FALSE
				: status.is2xxSuccessful() ? Boolean.TRUE : null;
	}

	@Override
	protected @Nullable String key() {
		return this.key;
	}

	@Override
	protected void returned(@Nullable Object result) {
		Boolean found = found((HttpStatusCode) result);
		if (found != null && this.key != null) {
			filter().loaded(this.key, this.asked, !found, false);
		}
	}

}
