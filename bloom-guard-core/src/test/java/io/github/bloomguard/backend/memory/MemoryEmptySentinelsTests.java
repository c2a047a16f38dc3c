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
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.sentinel.EmptySentinels;
import io.github.bloomguard.sentinel.EmptySentinelsContractTests;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MemoryEmptySentinels}.
 */
class MemoryEmptySentinelsTests extends EmptySentinelsContractTests {

	private final MemoryBackend backend = new MemoryBackend();

	@Override
	protected EmptySentinels newSentinels(String origin, Duration addedRetention) {
		return this.backend.sentinels(settings(addedRetention), Origin.of(origin));
	}

	@Override
	protected ControlStore newControl(Duration addedRetention) {
		return this.backend.control(settings(addedRetention), Origin.of(ORIGIN));
	}

	private static FilterSettings settings(Duration addedRetention) {
		return new FilterSettingsBuilder().journalMemory(1 << 20).addedRetention(addedRetention).build();
	}

	@Test
	void keyThatIsAddedWhileItIsRememberedIsForgotten() throws Exception {
		EmptySentinels sentinels = newSentinels(ORIGIN, TTL);
		ControlStore control = newControl(TTL);
		long epoch = control.append(List.of("first"), List.of()).join().record().epoch();
		ExecutorService threads = Executors.newFixedThreadPool(2);
		try {
			for (int i = 0; i < 2000; i++) {
				String key = String.valueOf(i);
				Future<?> remembering = threads.submit(() -> sentinels.remember(key, "", TTL, epoch).join());
				Future<Boolean> adding = threads.submit(() -> {
					control.append(List.of(key), List.of()).join();
					return sentinels.contains(key, "").join();
				});
				assertThat(adding.get()).isFalse();
				remembering.get();
				assertThat(sentinels.contains(key, "").join()).isFalse();
			}
		}
		finally {
			threads.shutdownNow();
		}
	}

	@Test
	void sentinelsDoNotPileUp() {
		Sentinels sentinels = new Sentinels();
		for (int i = 0; i < 1000; i++) {
			sentinels.put("key " + i, ORIGIN, "", 1, Duration.ofMillis(10), i);
		}
		assertThat(sentinels.size()).isEqualTo(10);
	}

}
