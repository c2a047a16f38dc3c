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

import io.github.bloomguard.backend.BackendSettings;
import io.github.bloomguard.catchup.CheckpointStore;
import io.github.bloomguard.catchup.CheckpointStoreContractTests;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Origin;

/**
 * Tests for {@link MemoryCheckpointStore}.
 */
class MemoryCheckpointStoreTests extends CheckpointStoreContractTests {

	private final MemoryBackend backend = new MemoryBackend();

	@Override
	protected CheckpointStore newMarks(String origin) {
		return this.backend.checkpoints(settings(origin));
	}

	@Override
	protected ControlStore newControl() {
		return this.backend.control(settings(ORIGIN));
	}

	private static BackendSettings settings(String origin) {
		return new BackendSettings("products", Origin.of(origin), Duration.ZERO, Duration.ZERO, Duration.ZERO, 0);
	}

}
