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

package io.github.bloomguard.call;

import java.util.ArrayList;
import java.util.List;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.LoadRejectedException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;
import static org.mockito.Mockito.verify;

/**
 * Tests for {@link GuardedCall}.
 */
class GuardedCallTests {

	private final GuardedCall call = new GuardedCall();

	private final List<String> told = new ArrayList<>();

	private final GuardedFilter orders = filter("orders");

	private final GuardedFilter products = filter("products");

	private final LoadPermit permit = mock();

	@Test
	void callTakesOnePermitOfFilterThatCouldNotTellAboutTwoKeys() {
		given(this.orders.acquire(Decision.UNKNOWN)).willReturn(this.permit);
		passed(this.orders, Decision.UNKNOWN);
		passed(this.orders, Decision.UNKNOWN);
		assertThat(this.call.isUndecided()).isTrue();
		assertThat(load("row")).isEqualTo("row");
		verify(this.orders, times(1)).acquire(Decision.UNKNOWN);
		verify(this.permit).close();
	}

	@Test
	void callTakesPermitOfFilterThatCouldTellAboutAnotherKeyOnly() {
		given(this.orders.acquire(Decision.UNKNOWN)).willReturn(this.permit);
		passed(this.orders, Decision.maybe(1));
		passed(this.orders, Decision.UNKNOWN);
		passed(this.orders, Decision.maybe(1));
		load("row");
		verify(this.orders).acquire(Decision.UNKNOWN);
		verify(this.permit).close();
	}

	@Test
	void permitsAreGivenBackIfAnotherFilterGivesNone() {
		given(this.orders.acquire(Decision.UNKNOWN))
			.willThrow(new LoadRejectedException("orders", FilterState.LOADING, 1));
		given(this.products.acquire(Decision.UNKNOWN)).willReturn(this.permit);
		passed(this.orders, Decision.UNKNOWN);
		passed(this.products, Decision.UNKNOWN);
		assertThatExceptionOfType(LoadRejectedException.class).isThrownBy(() -> load("row"));
		verify(this.permit).close();
		assertThat(this.told).isEmpty();
	}

	@Test
	void callThatAllFiltersCouldTellAboutTakesNoPermit() {
		given(this.orders.acquire(any())).willReturn(this.permit);
		passed(this.orders, Decision.maybe(1));
		assertThat(this.call.isUndecided()).isFalse();
		load("row");
		verify(this.orders, never()).acquire(any());
		verify(this.permit, never()).close();
	}

	@Test
	void eachFilterIsToldWhatTheCallHasReturnedBeforeThePermitIsGivenBack() {
		given(this.orders.acquire(any())).willReturn(() -> this.told.add("permit"));
		passed(this.orders, Decision.UNKNOWN);
		passed(this.products, Decision.maybe(1));
		load("row");
		assertThat(this.told).containsExactlyInAnyOrder("orders row", "products row", "permit").endsWith("permit");
	}

	@Test
	void eachFilterIsToldWhatTheCallHasFailedWithAndThePermitIsGivenBack() {
		given(this.orders.acquire(any())).willReturn(() -> this.told.add("permit"));
		passed(this.orders, Decision.UNKNOWN);
		passed(this.products, Decision.maybe(1));
		assertThatExceptionOfType(IllegalStateException.class).isThrownBy(() -> this.call.load(() -> {
			throw new IllegalStateException("broken");
		}));
		assertThat(this.told).containsExactlyInAnyOrder("orders broken", "products broken", "permit")
			.endsWith("permit");
	}

	@Test
	void threadMakesCallOfFilterThatRemembersAbsenceUntilItHasReturned() {
		given(this.products.remembersAbsence()).willReturn(true);
		passed(this.products, Decision.maybe(1));
		assertThat(this.call.<@Nullable GuardedCall, RuntimeException>load(GuardedCall::current)).isSameAs(this.call);
		assertThat(GuardedCall.current()).isNull();
	}

	@Test
	void callWithinAnotherIsNotTakenForIt() {
		given(this.products.remembersAbsence()).willReturn(true);
		passed(this.products, Decision.maybe(1));
		GuardedCall inner = new GuardedCall();
		assertThat(this.call.<@Nullable GuardedCall, RuntimeException>load(
				() -> inner.<@Nullable GuardedCall, RuntimeException>load(GuardedCall::current)))
			.isSameAs(inner);
	}

	private String load(String row) {
		return this.call.<String, RuntimeException>load(() -> row);
	}

	private void passed(GuardedFilter filter, Decision verdict) {
		this.call.passed(new GuardedCall.CheckOutcome(filter, verdict) {

			@Override
			protected void returned(@Nullable Object result) {
				GuardedCallTests.this.told.add(filter().name() + " " + result);
			}

			@Override
			protected void threw(Throwable failure) {
				GuardedCallTests.this.told.add(filter().name() + " " + failure.getMessage());
			}

		});
	}

	private static GuardedFilter filter(String name) {
		GuardedFilter filter = mock();
		given(filter.name()).willReturn(name);
		return filter;
	}

}
