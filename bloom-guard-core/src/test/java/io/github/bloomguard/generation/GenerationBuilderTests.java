package io.github.bloomguard.generation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledExecutorService;

import io.github.bloomguard.filter.FilterLoad;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.generation.ControlStore.JournalPage;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;

/**
 * Tests for what {@link GenerationBuilder} waits for.
 */
class GenerationBuilderTests {

	private static final FilterSpecification specification = new FilterSpecification("products", 1000, 0.01);

	private final ControlStore control = mock();

	private final FilterStore store = mock();

	private final List<String> steps = new ArrayList<>();

	@Test
	void sourceIsReadWhenEveryTransactionThatTheJournalDoesNotKnowHasEnded() throws Exception {
		FilterLoad load = mock();
		StoredFilter bits = mock();
		given(this.control.acquire(any(), any())).willReturn(CompletableFuture.completedFuture(true));
		given(this.control.release(any())).willReturn(CompletableFuture.completedFuture(null));
		given(this.control.begin(any(), any(), any())).willReturn(CompletableFuture.completedFuture(true));
		given(this.control.goLive(any(), any(), any())).willReturn(CompletableFuture.completedFuture(true));
		given(this.control.activate(any(), any(), anyLong())).willReturn(CompletableFuture.completedFuture(true));
		given(this.control.retire(any())).willReturn(CompletableFuture.completedFuture(List.of()));
		given(this.control.journal(any(), anyInt()))
			.willReturn(CompletableFuture.completedFuture(new JournalPage(List.of(), "")));
		given(this.control.read()).willReturn(CompletableFuture.completedFuture(record(1_000, 4_000)))
			.willReturn(CompletableFuture.completedFuture(record(1_000, 11_000)));
		given(this.store.load(any(), any(), any(), anyLong())).willReturn(CompletableFuture.completedFuture(load));
		given(load.passes()).willReturn(1);
		given(load.filter()).willReturn(bits);
		given(bits.seal()).willReturn(CompletableFuture.completedFuture(true));
		MonotonicClock clock = mock();
		given(clock.after(any())).willAnswer((invocation) -> {
			this.steps.add("wait " + invocation.getArgument(0));
			return CompletableFuture.completedFuture(null);
		});
		ScheduledExecutorService scheduler = mock();
		given(scheduler.scheduleAtFixedRate(any(), anyLong(), anyLong(), any())).willReturn(mock());
		new GenerationBuilder("products", this.store, this.control, scheduler, clock,
				new BuildSettings(Duration.ofSeconds(10), Duration.ZERO, 1_000_000, Duration.ZERO))
			.build(() -> Generation.loading(specification, 1000, "origin"), () -> true, (generation, pass, sink) -> {
				this.steps.add("scan");
				sink.accept(List.of("a"));
			});
		assertThat(this.steps).containsExactly("wait PT7S", "scan");
	}

	private static ControlRecord record(long journalSince, long now) {
		return new ControlRecord(1, List.of(), Proof.NONE, true, journalSince, now, 0);
	}

}
