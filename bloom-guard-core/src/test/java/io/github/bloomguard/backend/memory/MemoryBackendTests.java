package io.github.bloomguard.backend.memory;

import java.time.Duration;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.backend.BackendSettings;
import io.github.bloomguard.filter.FilterSpecification;
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
		assertThatNoException().isThrownBy(() -> new MemoryBackend(3 * MEGABYTE).check(million));
		assertThatExceptionOfType(InvalidGuardException.class)
			.isThrownBy(() -> new MemoryBackend(2 * MEGABYTE).check(million))
			.satisfies((ex) -> {
				assertThat(ex.getProblem()).contains("bloom-guard.filters.products.expected-insertions is 1000000",
						"2 MB");
				assertThat(ex.getRemedy()).contains("-Xmx");
			});
	}

	@Test
	void replicasAreRefused() {
		BackendSettings settings = new BackendSettings("products", "origin", Duration.ZERO, Duration.ZERO,
				Duration.ZERO, 1);
		assertThatExceptionOfType(InvalidGuardException.class).isThrownBy(() -> new MemoryBackend().control(settings))
			.satisfies((ex) -> assertThat(ex.getProblem()).contains("bloom-guard.filters.products.add-replicas is 1"));
	}

}
