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

package io.github.bloomguard.warmup;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

import io.github.bloomguard.circuit.RedisUnavailableException;
import io.github.bloomguard.filter.FilterLoad;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.ControlStore.JournalPage;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.generation.RecordSteps;
import io.github.bloomguard.generation.Trust;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mockito.ArgumentCaptor;
import org.mockito.stubbing.Answer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyInt;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.BDDMockito.willAnswer;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.times;

/**
 * Tests for the order in which {@link GenerationBuilder} goes, and where it stops.
 */
class GenerationBuilderTests {

	private static final FilterSpecification specification = new FilterSpecification("products", 1000, 0.01);

	private final ControlStore control = mock();

	private final RecordSteps recordSteps = mock();

	private final FilterStore store = mock();

	private final ScheduledExecutorService scheduler = mock();

	private final List<String> steps = new ArrayList<>();

	private final FilterLoad load = mock();

	private final StoredFilter bits = mock();

	private boolean begun = true;

	private boolean live = true;

	private boolean sealed = true;

	private boolean active = true;

	private long journalSince = 1_000;

	@BeforeEach
	void answer() {
		given(this.control.acquire(any(), any())).willReturn(completed(true));
		given(this.control.release(any())).willReturn(completed(null));
		given(this.recordSteps.begin(any(), any(), any(), any())).willAnswer(step("begin", () -> this.begun));
		given(this.recordSteps.goLive(any(), any(), any())).willAnswer(step("go live", () -> this.live));
		given(this.recordSteps.activate(any(), any(), anyLong())).willAnswer(step("activate", () -> this.active));
		given(this.recordSteps.retire(any()))
			.willAnswer(step("retire", () -> List.of(Generation.loading(specification, 1000, "origin"))));
		given(this.recordSteps.drop(any())).willAnswer(step("drop", () -> null));
		given(this.control.journal(any(), anyInt())).willReturn(completed(new JournalPage(List.of(), "")));
		given(this.control.read()).willAnswer((read) -> completed(record(4_000)))
			.willAnswer((read) -> completed(record(11_100)));
		given(this.store.load(any(), any(), any(), anyLong())).willReturn(completed(this.load));
		given(this.store.delete(any(), any())).willAnswer(step("delete", () -> null));
		given(this.load.passes()).willReturn(1);
		given(this.load.filter()).willReturn(this.bits);
		given(this.bits.seal()).willAnswer(step("seal", () -> this.sealed));
	}

	@Test
	void sourceIsReadWhenEveryTransactionThatTheJournalDoesNotKnowHasEnded() throws Exception {
		build();
		assertThat(this.steps).containsExactly("begin", "wait PT7.1S", "scan", "go live", "seal", "activate", "retire",
				"delete", "drop");
	}

	@Test
	void nothingIsWrittenByABuilderThatMayNotBegin() {
		this.begun = false;
		assertThatExceptionOfType(BuildFailedException.class).isThrownBy(this::build);
		assertThat(this.steps).containsExactly("begin");
	}

	@Test
	void sourceIsNotReadIfTheJournalIsLost() {
		this.journalSince = 0;
		assertThatExceptionOfType(BuildFailedException.class).isThrownBy(this::build);
		assertThat(this.steps).containsExactly("begin", "delete");
	}

	@Test
	void generationThatMayNotGoLiveIsDeletedUnsealed() {
		this.live = false;
		assertThatExceptionOfType(BuildFailedException.class).isThrownBy(this::build);
		assertThat(this.steps).containsExactly("begin", "wait PT7.1S", "scan", "go live", "delete");
	}

	@Test
	void generationThatCanNotBeSealedIsDeletedAndNotMadeActive() {
		this.sealed = false;
		assertThatExceptionOfType(BuildFailedException.class).isThrownBy(this::build);
		assertThat(this.steps).containsExactly("begin", "wait PT7.1S", "scan", "go live", "seal", "delete");
	}

	@Test
	void oldGenerationStaysIfTheNewOneMayNotBeMadeActive() {
		this.active = false;
		assertThatExceptionOfType(BuildFailedException.class).isThrownBy(this::build);
		assertThat(this.steps).containsExactly("begin", "wait PT7.1S", "scan", "go live", "seal", "activate");
	}

	/**
	 * The step may be made when Redis answers again.
	 */
	@Test
	void builderThatWasNotToldWhetherItHasTheLeaseAsksForTheSameOne() throws Exception {
		given(this.control.acquire(any(), any())).willReturn(CompletableFuture.failedFuture(new TimeoutException()))
			.willReturn(completed(true));
		GenerationBuilder builder = builder();
		assertThatExceptionOfType(CompletionException.class).isThrownBy(() -> build(builder));
		build(builder);
		build(builder);
		ArgumentCaptor<String> tokens = ArgumentCaptor.captor();
		then(this.control).should(times(3)).acquire(tokens.capture(), any());
		assertThat(tokens.getAllValues().get(1)).isEqualTo(tokens.getAllValues().get(0))
			.isNotEqualTo(tokens.getAllValues().get(2));
	}

	@Test
	void filterWaitsForItsJournalWithoutTheLeaseOfItsBuilder() {
		this.journalSince = 0;
		GenerationBuilder builder = builder();
		ControlRecord lost = record(4_000);
		this.journalSince = 1_000;
		assertThat(builder.prepare(lost, () -> Generation.loading(specification, 1000, "origin"))).hasMillis(7_100);
		assertThat(this.steps).containsExactly("begin");
		then(this.control).should().release(any());
	}

	@Test
	void journalThatIsThereIsOnlyWaitedFor() {
		assertThat(builder().prepare(record(4_000), () -> Generation.loading(specification, 1000, "origin")))
			.hasMillis(7_100);
		assertThat(builder().prepare(record(11_100), () -> Generation.loading(specification, 1000, "origin"))).isZero();
		assertThat(this.steps).isEmpty();
	}

	@Test
	void sourceIsNotReadAgainBecauseRedisDoesNotAnswerForAMoment() throws Exception {
		AtomicInteger silent = new AtomicInteger(3);
		willAnswer((step) -> (silent.getAndDecrement() > 0)
				? CompletableFuture.failedFuture(new RedisUnavailableException("no answer", null)) : completed(true))
			.given(this.recordSteps)
			.goLive(any(), any(), any());
		build();
		assertThat(this.steps).containsExactly("begin", "wait PT7.1S", "scan", "wait PT0.5S", "wait PT0.5S",
				"wait PT0.5S", "seal", "activate", "retire", "delete", "drop");
	}

	@Test
	void leaseThatHasEndedIsTakenAgainWhileItsBuilderIsAtWork() throws Exception {
		given(this.control.renew(any(), any())).willReturn(completed(true)).willReturn(completed(false));
		GenerationBuilder builder = builder();
		ArgumentCaptor<Runnable> renewal = ArgumentCaptor.captor();
		try (BuildLease lease = builder.acquire().orElseThrow()) {
			builder.build(lease, Generation.loading(specification, 1000, "origin"), (generation, pass, sink) -> {
				sink.accept(List.of("a"));
				then(this.scheduler).should().scheduleAtFixedRate(renewal.capture(), anyLong(), anyLong(), any());
				renewal.getValue().run();
				then(this.control).should().acquire(any(), any());
				renewal.getValue().run();
				then(this.control).should(times(2)).acquire(any(), any());
			});
		}
		renewal.getValue().run();
		then(this.control).should(times(2)).acquire(any(), any());
	}

	private void build() throws Exception {
		build(builder());
	}

	private GenerationBuilder builder() {
		MonotonicClock clock = mock();
		given(clock.after(any())).willAnswer((invocation) -> {
			this.steps.add("wait " + invocation.getArgument(0));
			return completed(null);
		});
		given(this.scheduler.scheduleAtFixedRate(any(), anyLong(), anyLong(), any())).willReturn(mock());
		return new GenerationBuilder(this.store, this.control, this.recordSteps, this.scheduler, clock,
				new FilterSettingsBuilder().longestTransaction(Duration.ofSeconds(10)).build(), () -> Duration.ZERO);
	}

	private void build(GenerationBuilder builder) throws Exception {
		try (BuildLease lease = builder.acquire().orElseThrow()) {
			builder.build(lease, Generation.loading(specification, 1000, "origin"), (generation, pass, sink) -> {
				this.steps.add("scan");
				sink.accept(List.of("a"));
			});
		}
	}

	private <T> Answer<CompletableFuture<T>> step(String name, Supplier<T> reply) {
		return (invocation) -> {
			this.steps.add(name);
			return completed(reply.get());
		};
	}

	private static <T> CompletableFuture<T> completed(T value) {
		return CompletableFuture.completedFuture(value);
	}

	private ControlRecord record(long now) {
		return new ControlRecord(1, List.of(), Trust.NONE, true, this.journalSince, JournalPosition.START, now, 0, 0,
				null);
	}

}
