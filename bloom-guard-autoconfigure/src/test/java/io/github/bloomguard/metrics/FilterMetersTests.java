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

package io.github.bloomguard.metrics;

import java.util.List;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.statistics.FilterStatistics;
import io.github.bloomguard.statistics.ListenerChain;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link FilterMeters}.
 */
class FilterMetersTests {

	private final MeterRegistry registry = new SimpleMeterRegistry();

	private final FilterStatistics statistics = new FilterStatistics("products",
			new ListenerChain(List.of(), Runnable::run));

	@BeforeEach
	void bind() {
		FilterMeters.bindCounters("products", this.statistics, this.registry);
	}

	@Test
	void eachVerdictIsCountedByItsOutcome() {
		List.of(Decision.ABSENT, Decision.LET_THROUGH, Decision.maybe(1), Decision.REMEMBERED, Decision.UNKNOWN)
			.forEach(this.statistics::decided);
		assertThat(count("requests", "absent")).isEqualTo(2);
		assertThat(count("let.through", "let_through")).isOne();
		assertThat(count("requests", "maybe")).isOne();
		assertThat(count("requests", "remembered")).isOne();
		assertThat(count("requests", "unknown")).isOne();
	}

	@Test
	void whatGoesWrongIsCounted() {
		this.statistics.falsePositive();
		this.statistics.falseNegative();
		this.statistics.rejected();
		assertThat(count("errors", "false_positive")).isOne();
		assertThat(count("errors", "false_negative")).isOne();
		assertThat(count("loads", "rejected")).isOne();
	}

	@Test
	void eachAddedKeyIsCounted() {
		this.statistics.added(3);
		this.statistics.added(2);
		assertThat(count("keys", "added")).isEqualTo(5);
	}

	@Test
	void eachKeyThatCouldNotBeAddedIsCounted() {
		this.statistics.notAdded(3, new RuntimeException());
		assertThat(count("keys", "not_added")).isEqualTo(3);
		assertThat(count("keys", "added")).isZero();
	}

	@Test
	void changesOfTheStateAreCountedByTheNewOne() {
		this.statistics.onStateChange("products", FilterState.LOADING, FilterState.READY, null);
		this.statistics.onStateChange("products", FilterState.READY, FilterState.UNREACHABLE, new RuntimeException());
		this.statistics.onStateChange("products", FilterState.UNREACHABLE, FilterState.READY, null);
		assertThat(count("state.changes", "ready")).isEqualTo(2);
		assertThat(count("state.changes", "unreachable")).isOne();
		assertThat(count("state.changes", "lost")).isZero();
	}

	private double count(String meter, String outcome) {
		return this.registry.get("bloom.guard." + meter)
			.tags("filter", "products", "outcome", outcome)
			.functionCounter()
			.count();
	}

}
