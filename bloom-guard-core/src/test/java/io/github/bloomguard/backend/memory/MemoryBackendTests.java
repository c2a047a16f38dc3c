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

package io.github.bloomguard.backend.memory;

import java.time.Duration;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatNoException;

/**
 * Tests for {@link MemoryBackend}.
 */
class MemoryBackendTests {

	private static final long MEGABYTE = 1 << 20;

	@Test
	void filterThatDoesNotFitTwiceIntoTheMemoryIsRefused() {
		FilterSpecification million = new FilterSpecification("products", 1_000_000, 0.01);
		assertThatNoException().isThrownBy(() -> new MemoryBackend(3 * MEGABYTE, MonotonicClock.SYSTEM).check(million));
		assertThatExceptionOfType(InvalidGuardException.class)
			.isThrownBy(() -> new MemoryBackend(2 * MEGABYTE, MonotonicClock.SYSTEM).check(million))
			.satisfies((ex) -> {
				assertThat(ex.getProblem()).contains("bloom-guard.filters.products.expected-insertions is 1000000",
						"2 MB");
				assertThat(ex.getRemedy()).contains("-Xmx");
			});
	}

	@Test
	void replicasAreRefused() {
		FilterSettings settings = new FilterSettingsBuilder().journalRetention(Duration.ZERO)
			.addedRetention(Duration.ZERO)
			.addReplicas(1)
			.build();
		assertThatExceptionOfType(InvalidGuardException.class)
			.isThrownBy(() -> new MemoryBackend().control(settings, Origin.of("origin")))
			.satisfies((ex) -> assertThat(ex.getProblem()).contains("bloom-guard.filters.products.add-replicas is 1"));
	}

}
