package io.github.bloomguard.backend.memory;

import java.time.Duration;

import io.github.bloomguard.backend.BackendSettings;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.sentinel.EmptySentinels;
import io.github.bloomguard.sentinel.EmptySentinelsContractTests;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MemoryEmptySentinels}.
 */
class MemoryEmptySentinelsTests extends EmptySentinelsContractTests {

	private final MemoryBackend backend = new MemoryBackend();

	@Override
	protected EmptySentinels newSentinels(String origin, Duration addedRetention) {
		return this.backend.sentinels(settings(origin, addedRetention));
	}

	@Override
	protected ControlStore newControl(Duration addedRetention) {
		return this.backend.control(settings(ORIGIN, addedRetention));
	}

	private static BackendSettings settings(String origin, Duration addedRetention) {
		return new BackendSettings("products", origin, Duration.ZERO, Duration.ZERO, addedRetention, 0);
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
