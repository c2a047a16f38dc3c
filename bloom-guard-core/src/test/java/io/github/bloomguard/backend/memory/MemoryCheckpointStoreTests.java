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

import io.github.bloomguard.feed.CheckpointStore;
import io.github.bloomguard.feed.CheckpointStoreContractTests;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;

/**
 * Tests for {@link MemoryCheckpointStore}.
 */
class MemoryCheckpointStoreTests extends CheckpointStoreContractTests {

	private static final FilterSettings SETTINGS = new FilterSettingsBuilder().journalRetention(Duration.ZERO)
		.addedRetention(Duration.ZERO)
		.build();

	private final MemoryBackend backend = new MemoryBackend();

	@Override
	protected CheckpointStore newMarks(String origin) {
		return this.backend.checkpoints(SETTINGS, Origin.of(origin));
	}

	@Override
	protected ControlStore newControl() {
		return this.backend.control(SETTINGS, Origin.of(ORIGIN));
	}

}
