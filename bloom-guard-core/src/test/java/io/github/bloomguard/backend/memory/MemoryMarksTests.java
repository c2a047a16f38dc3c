package io.github.bloomguard.backend.memory;

import java.time.Duration;

import io.github.bloomguard.backend.BackendSettings;
import io.github.bloomguard.catchup.Marks;
import io.github.bloomguard.catchup.MarksContractTests;
import io.github.bloomguard.generation.ControlStore;

/**
 * Tests for {@link MemoryMarks}.
 */
class MemoryMarksTests extends MarksContractTests {

	private final MemoryBackend backend = new MemoryBackend();

	@Override
	protected Marks newMarks(String origin) {
		return this.backend.marks(settings(origin));
	}

	@Override
	protected ControlStore newControl() {
		return this.backend.control(settings(ORIGIN));
	}

	private static BackendSettings settings(String origin) {
		return new BackendSettings("products", origin, Duration.ZERO, Duration.ZERO, Duration.ZERO, 0);
	}

}
