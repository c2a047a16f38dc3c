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

package io.github.bloomguard.backend.redis.module;

import java.time.Duration;

import io.github.bloomguard.backend.redis.module.ModuleServer.Kind;
import io.github.bloomguard.feed.CheckpointStore;
import io.github.bloomguard.feed.CheckpointStoreContractTests;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Origin;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests for the checkpoints of filters of the server, of each kind.
 */
@ParameterizedClass
@EnumSource(Kind.class)
class ModuleCheckpointStoreTests extends CheckpointStoreContractTests {

	@AutoClose
	private static final ModuleServer server = new ModuleServer();

	private final ModuleBackend backend;

	ModuleCheckpointStoreTests(Kind kind) {
		this.backend = server.backend(kind);
	}

	@Override
	protected CheckpointStore newMarks(String origin) {
		server.flush();
		return this.backend.checkpoints(ModuleServer.settings(Duration.ZERO, Duration.ZERO), Origin.of(origin));
	}

	@Override
	protected ControlStore newControl() {
		return this.backend.control(ModuleServer.settings(Duration.ZERO, Duration.ZERO), Origin.of(ORIGIN));
	}

}
