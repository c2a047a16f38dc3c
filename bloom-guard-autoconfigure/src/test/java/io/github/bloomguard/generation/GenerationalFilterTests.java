package io.github.bloomguard.generation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.filter.FilterKeys;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.gate.RedisGate;
import io.github.bloomguard.generation.Generation.Phase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.redisson.RedissonShutdownException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link GenerationalFilter} with a Redis whose answers are there at once.
 */
class GenerationalFilterTests {

	private static final FilterSpecification SPECIFICATION = new FilterSpecification("products", 1000, 0.01);

	private final ControlStore control = mock();

	private final FilterStore store = mock();

	private final List<String> steps = new ArrayList<>();

	private final GenerationalFilter filter = new GenerationalFilter(new FilterKeys("bloom-guard", "products"),
			this.store, this.control, new RedisGate("calls go through", Duration.ofSeconds(1)), (from, to, cause) -> {
			});

	private long epoch;

	private @Nullable String active;

	GenerationalFilterTests() {
		StoredFilter bits = mock();
		given(this.control.read()).willAnswer((invocation) -> {
			this.steps.add("read");
			return CompletableFuture.completedFuture(record());
		});
		given(this.store.open(any(), any())).willReturn(bits);
		given(bits.isIntact()).willAnswer((invocation) -> {
			this.steps.add("look");
			return CompletableFuture.completedFuture(true);
		});
	}

	@Test
	void refreshEndsBeforeAnotherBeginsThatItHasAskedFor() {
		this.active = "first";
		this.filter.refresh().join();
		this.active = "second";
		this.filter.refresh().join();
		assertThat(this.steps).containsExactly("read", "look", "read", "look", "read", "look");
		assertThat(this.filter.active()).extracting(Generation::id).isEqualTo("second");
	}

	@Test
	void refreshThatCouldNotEvenAskIsFollowedByOthers() {
		this.active = "first";
		given(this.control.read()).willThrow(new RedissonShutdownException("closing"))
			.willReturn(CompletableFuture.completedFuture(record()));
		assertThat(this.filter.refresh().join()).isFalse();
		assertThat(this.filter.state()).isEqualTo(FilterState.UNREACHABLE);
		assertThat(this.filter.refresh().join()).isTrue();
		assertThat(this.filter.state()).isEqualTo(FilterState.READY);
	}

	private ControlRecord record() {
		List<Generation> generations = (this.active != null) ? List.of(new Generation(this.active, SPECIFICATION, 1000,
				"salt", KeyFormat.VERSION, Instant.EPOCH, Phase.ACTIVE)) : List.of();
		return new ControlRecord(++this.epoch, generations, true, 1, 10_000, 1);
	}

}
