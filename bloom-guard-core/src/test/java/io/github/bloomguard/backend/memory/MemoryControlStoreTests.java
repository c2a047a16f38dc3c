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
import java.util.List;

import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.ControlStoreContractTests;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MemoryControlStore}.
 */
class MemoryControlStoreTests extends ControlStoreContractTests {

	private final MemoryBackend backend = new MemoryBackend();

	@Override
	protected ControlStore newStore(String origin, FilterSettings settings) {
		return this.backend.control(settings, Origin.of(origin));
	}

	@Override
	protected FilterStore filters() {
		return this.backend.filters();
	}

	@Test
	void addNeedNotWaitForWhatMayHaveBeenBefore() {
		ControlRecord record = append("a");
		assertThat(record.sameServer()).isTrue();
		assertThat(record.now() - record.created()).isGreaterThan(ControlRecord.LEASE.toMillis());
		assertThat(record.now() - record.journalSince()).as("longer than any transaction")
			.isGreaterThan(Duration.ofDays(1).toMillis());
	}

	@Test
	void eachFilterHasItsOwnRecord() {
		append("a");
		ControlStore other = this.backend.control(new FilterSettingsBuilder().name("other").build(), Origin.of(ORIGIN));
		assertThat(other.read().join().epoch()).isZero();
		assertThat(other.journal("0-0", 10).join().keys()).isEmpty();
		assertThat(other.append(List.of("b"), List.of()).join().record().epoch()).isPositive();
		assertThat(journal()).containsExactly("a");
	}

}
