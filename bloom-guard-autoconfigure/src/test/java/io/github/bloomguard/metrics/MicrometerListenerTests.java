package io.github.bloomguard.metrics;

import java.util.List;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.Verdict;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link MicrometerListener}.
 */
class MicrometerListenerTests {

	private final MeterRegistry registry = new SimpleMeterRegistry();

	private final MicrometerListener listener = new MicrometerListener(this.registry);

	@Test
	void eachVerdictIsCountedByItsOutcome() {
		List.of(Verdict.ABSENT, Verdict.SHADOWED, Verdict.maybe(1), Verdict.REMEMBERED, Verdict.UNKNOWN)
			.forEach((verdict) -> this.listener.onVerdict("products", verdict));
		assertThat(count("requests", "absent")).isEqualTo(2);
		assertThat(count("requests", "maybe")).isOne();
		assertThat(count("requests", "remembered")).isOne();
		assertThat(count("requests", "unknown")).isOne();
	}

	@Test
	void whatGoesWrongIsCounted() {
		this.listener.onFalsePositive("products");
		this.listener.onFalseNegative("products");
		this.listener.onRejected("products");
		assertThat(count("errors", "false_positive")).isOne();
		assertThat(count("errors", "false_negative")).isOne();
		assertThat(count("loads", "rejected")).isOne();
	}

	@Test
	void eachAddedKeyIsCounted() {
		this.listener.onAdded("products", 3);
		this.listener.onAdded("products", 2);
		assertThat(count("keys", "added")).isEqualTo(5);
	}

	@Test
	void changesOfTheStateAreCountedByTheNewOne() {
		this.listener.onStateChange("products", FilterState.WARMING_UP, FilterState.READY, null);
		this.listener.onStateChange("products", FilterState.READY, FilterState.UNREACHABLE, new RuntimeException());
		this.listener.onStateChange("products", FilterState.UNREACHABLE, FilterState.READY, null);
		assertThat(count("state.changes", "ready")).isEqualTo(2);
		assertThat(count("state.changes", "unreachable")).isOne();
		assertThat(count("state.changes", "lost")).isZero();
	}

	private double count(String meter, String outcome) {
		return this.registry.get("bloom.guard." + meter)
			.tags("filter", "products", "outcome", outcome)
			.counter()
			.count();
	}

}
