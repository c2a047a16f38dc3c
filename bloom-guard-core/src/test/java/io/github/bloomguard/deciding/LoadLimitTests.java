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

package io.github.bloomguard.deciding;

import java.util.function.Supplier;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.LoadRejectedException;
import io.github.bloomguard.Membership;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.LoadPermit;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.guard.FilterUnderTest;
import io.github.bloomguard.guard.Rows;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.statistics.FilterStatistics;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link LoadLimit}.
 */
class LoadLimitTests {

	private final GenerationalFilter filter = mock();

	private final FilterStatistics statistics = mock();

	@BeforeEach
	void enforce() {
		given(this.filter.mode()).willReturn(FilterMode.ENFORCE);
	}

	@Test
	void onlySoManyCallsLoadWhileTheFilterCannotTell() {
		LoadLimit limit = limit(1);
		LoadPermit permit = limit.acquire(Decision.UNKNOWN);
		assertThatExceptionOfType(LoadRejectedException.class).isThrownBy(() -> limit.acquire(Decision.UNKNOWN));
		assertThat(permit).isNotNull();
		permit.close();
		permit.close();
		assertThat(limit.acquire(Decision.UNKNOWN)).isNotNull();
		assertThatExceptionOfType(LoadRejectedException.class).isThrownBy(() -> limit.acquire(Decision.UNKNOWN));
	}

	@Test
	void keyAboutWhichTheFilterCannotTellTakesAPermit() {
		LoadLimit limit = limit(1);
		assertThat(limit.acquire(Decision.maybe(1))).as("an ordinary call").isNull();
		assertThat(limit.acquire(Decision.maybe(1).asUncertain())).isNotNull();
		assertThatExceptionOfType(LoadRejectedException.class)
			.isThrownBy(() -> limit.acquire(Decision.maybe(1).asUncertain()));
	}

	@Test
	void nothingIsLimitedWhereThatIsNotAskedFor() {
		assertThat(limit(0).acquire(Decision.UNKNOWN)).isNull();
		given(this.filter.mode()).willReturn(FilterMode.SHADOW);
		assertThat(limit(1).acquire(Decision.UNKNOWN)).isNull();
	}

	@Test
	void callsAboveTheLimitAreRejectedUntilOthersHaveEnded() {
		try (FilterUnderTest filter = FilterUnderTest.with(new Rows()).maxConcurrentLoads(2).started()) {
			assertThat(load(filter, () -> load(filter, () -> {
				assertThatExceptionOfType(LoadRejectedException.class).isThrownBy(() -> filter.find(3L))
					.withMessage("The filter 'products' can't tell (it is LOADING), and 2 calls are loading already:"
							+ " as many as bloom-guard.filters.products.fallback.max-concurrent-loads allows");
				assertThat(filter.events()).containsOnlyOnce("products rejected");
				return "inner";
			}))).isEqualTo("inner");
			assertThat(load(filter, () -> filter.find(3L))).isEqualTo(3L);
		}
	}

	@Test
	void permitIsGivenBackAlsoByAnException() {
		try (FilterUnderTest filter = FilterUnderTest.with(new Rows()).maxConcurrentLoads(1).started()) {
			for (int i = 0; i < 3; i++) {
				assertThatIllegalStateException().isThrownBy(() -> load(filter, () -> {
					throw new IllegalStateException("database");
				}));
			}
			assertThat(filter.find(3L)).isEqualTo(3L);
		}
	}

	@Test
	void nothingIsRejectedByDefault() {
		try (FilterUnderTest filter = FilterUnderTest.with(new Rows()).started()) {
			assertThat(load(filter, () -> load(filter, () -> load(filter, () -> filter.find(3L))))).isEqualTo(3L);
		}
	}

	@ParameterizedTest
	@EnumSource(names = { "SHADOW", "OFF" })
	void filterThatDoesNotAnswerDoesNotRejectEither(FilterMode mode) {
		try (FilterUnderTest filter = FilterUnderTest.with(new Rows()).maxConcurrentLoads(1).mode(mode).started()) {
			assertThat(load(filter, () -> filter.find(3L))).isEqualTo(3L);
		}
	}

	@Test
	void nothingIsRejectedOnceTheFilterKnows() {
		try (FilterUnderTest filter = FilterUnderTest.with(new Rows()).maxConcurrentLoads(1).started()) {
			assertThat(load(filter, () -> filter.load().find(3L))).isEqualTo(3L);
		}
	}

	@Test
	void questionsAndCallsWithoutAKeyNeedNoPermit() {
		try (FilterUnderTest filter = FilterUnderTest.with(new Rows()).maxConcurrentLoads(1).started()) {
			assertThat(load(filter, () -> {
				assertThat(filter.questions().mightContain(FilterUnderTest.NAME, 1L)).isTrue();
				assertThat(filter.questions().membership(FilterUnderTest.NAME, 1L)).isEqualTo(Membership.UNKNOWN);
				return filter.questions().get(FilterUnderTest.NAME, null, () -> "for null");
			})).isEqualTo("for null");
		}
	}

	@Test
	void negativeLimitIsRefused() {
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> limit(-1))
			.withMessageContaining("bloom-guard.filters.products.fallback.max-concurrent-loads is -1")
			.withMessageContaining("0 for no limit");
	}

	private static @Nullable Object load(FilterUnderTest filter, Supplier<@Nullable Object> action) {
		return filter.questions().<Object, RuntimeException>get(FilterUnderTest.NAME, 1L, action::get);
	}

	private LoadLimit limit(int most) {
		FilterSettings settings = new FilterSettingsBuilder().maxConcurrentLoads(most).build();
		return new LoadLimit(settings, this.filter, this.statistics);
	}

}
