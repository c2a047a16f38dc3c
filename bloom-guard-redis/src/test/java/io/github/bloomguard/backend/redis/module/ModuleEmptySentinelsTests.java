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
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.sentinel.EmptySentinels;
import io.github.bloomguard.sentinel.EmptySentinelsContractTests;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tests for the empty sentinels of filters of the server, of each kind.
 */
@ParameterizedClass
@EnumSource(Kind.class)
class ModuleEmptySentinelsTests extends EmptySentinelsContractTests {

	@AutoClose
	private static final ModuleServer server = new ModuleServer();

	private final ModuleBackend backend;

	ModuleEmptySentinelsTests(Kind kind) {
		this.backend = server.backend(kind);
	}

	@BeforeEach
	void flush() {
		server.flush();
	}

	@Override
	protected EmptySentinels newSentinels(String origin, Duration addedRetention) {
		return this.backend.sentinels(ModuleServer.settings(Duration.ZERO, addedRetention), Origin.of(origin));
	}

	@Override
	protected ControlStore newControl(Duration addedRetention) {
		return this.backend.control(ModuleServer.settings(TTL, addedRetention), Origin.of(ORIGIN));
	}

}
