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

package io.github.bloomguard.guard;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.LoadRejectedException;
import io.github.bloomguard.Verdict;
import io.github.bloomguard.call.LoadPermit;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
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
		LoadPermit permit = limit.acquire(Verdict.UNKNOWN);
		assertThatExceptionOfType(LoadRejectedException.class).isThrownBy(() -> limit.acquire(Verdict.UNKNOWN));
		assertThat(permit).isNotNull();
		permit.close();
		permit.close();
		assertThat(limit.acquire(Verdict.UNKNOWN)).isNotNull();
		assertThatExceptionOfType(LoadRejectedException.class).isThrownBy(() -> limit.acquire(Verdict.UNKNOWN));
	}

	@Test
	void keyAboutWhichTheFilterCannotTellTakesAPermit() {
		LoadLimit limit = limit(1);
		assertThat(limit.acquire(Verdict.maybe(1))).as("an ordinary call").isNull();
		assertThat(limit.acquire(Verdict.maybe(1).asUncertain())).isNotNull();
		assertThatExceptionOfType(LoadRejectedException.class)
			.isThrownBy(() -> limit.acquire(Verdict.maybe(1).asUncertain()));
	}

	@Test
	void nothingIsLimitedWhereThatIsNotAskedFor() {
		assertThat(limit(0).acquire(Verdict.UNKNOWN)).isNull();
		given(this.filter.mode()).willReturn(FilterMode.SHADOW);
		assertThat(limit(1).acquire(Verdict.UNKNOWN)).isNull();
	}

	private LoadLimit limit(int most) {
		FilterSettings settings = new FilterSettingsBuilder().maxConcurrentLoads(most).build();
		return new LoadLimit(settings, this.filter, this.statistics);
	}

}
