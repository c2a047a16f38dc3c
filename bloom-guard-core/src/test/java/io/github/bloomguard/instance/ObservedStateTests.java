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

package io.github.bloomguard.instance;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.stream.IntStream;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.backend.FilterBackend;
import io.github.bloomguard.backend.memory.TimedMemory;
import io.github.bloomguard.circuit.CircuitBreaker;
import io.github.bloomguard.circuit.RedisUnavailableException;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterSettings.Verification.Mode;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.ModeSwitch;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.generation.RecordSteps;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import io.github.bloomguard.testsupport.RecordingListener;
import io.github.bloomguard.testsupport.SettableClock;
import io.github.bloomguard.warmup.BuildLease;
import io.github.bloomguard.warmup.GenerationBuilder;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.AdditionalAnswers.delegatesTo;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.willReturn;
import static org.mockito.Mockito.mock;

/**
 * Tests for the state that a filter shows, and for what it says of it, with a record in
 * memory that can be out of reach.
 */
class ObservedStateTests {

	private static final Origin ORIGIN = Origin.of("id-shop.one-1");

	private final SettableClock clock = new SettableClock();

	private final FilterBackend backend = TimedMemory.backend(this.clock);

	private final RecordingListener listener = new RecordingListener();

	private final ScheduledExecutorService scheduler = Executors.newSingleThreadScheduledExecutor();

	private ControlStore control = mock();

	private GenerationalFilter filter = filter(FilterMode.ENFORCE, 0, Duration.ZERO);

	@AfterEach
	void stop() {
		this.scheduler.shutdownNow();
	}

	private GenerationalFilter filter(FilterMode mode, int requiredCalls, Duration settle) {
		FilterSettings settings = settings(mode);
		this.control = mock(ControlStore.class, delegatesTo(this.backend.control(settings, ORIGIN)));
		this.filter = new GenerationalFilter(settings, ORIGIN, this.backend.filters(), this.control,
				CircuitBreaker.ofFilters(Duration.ofSeconds(1), Duration.ofSeconds(1)), this.clock, this.listener);
		this.filter.require(new Requirements(requiredCalls, settle, Mode.BEHIND, false, null, () -> 1000));
		return this.filter;
	}

	private static FilterSettings settings(FilterMode mode) {
		return new FilterSettingsBuilder().mode(mode).build();
	}

	private void load() throws Exception {
		FilterSettings settings = settings(FilterMode.ENFORCE);
		ControlStore control = this.backend.control(settings, ORIGIN);
		GenerationBuilder builder = new GenerationBuilder(this.backend.filters(), control, new RecordSteps(control),
				this.scheduler, this.clock, settings, this.filter::running);
		try (BuildLease lease = builder.acquire().orElseThrow()) {
			builder.build(lease, this.filter.next(settings.specification(), 1000),
					(generation, pass, sink) -> sink.accept(List.of("7")));
		}
		refresh();
	}

	private void refresh() {
		this.filter.refresh().join();
	}

	private void prove() {
		IntStream.range(0, 20).forEach((i) -> this.filter.evidence().noteAbsent("absent " + i));
		IntStream.range(0, 2).forEach((i) -> this.filter.evidence().noteFound("found " + i));
		refresh();
		refresh();
	}

	private void fail() {
		willReturn(CompletableFuture.failedFuture(new RedisUnavailableException("Redis does not answer", null)))
			.given(this.control)
			.refresh(any());
	}

	private List<String> changes() {
		return this.listener.events().stream().filter((event) -> event.startsWith("products is ")).toList();
	}

	private void assertState(FilterState state, @Nullable String reason) {
		assertThat(this.filter.state()).isEqualTo(state);
		assertThat(this.filter.stateChange().state()).isEqualTo(state);
		if (reason == null) {
			assertThat(this.filter.stateChange().reason()).isNull();
		}
		else {
			assertThat(this.filter.stateChange().reason()).contains(reason);
		}
	}

	@Test
	void generationIsMadeForSomeKeysMoreThanAreConfiguredAndIsOfTheConfiguredSize() throws Exception {
		FilterSpecification configured = settings(FilterMode.ENFORCE).specification();
		load();
		Generation active = Objects.requireNonNull(this.filter.active());
		assertThat(active.specification().expectedInsertions()).isGreaterThan(configured.expectedInsertions());
		assertThat(this.filter.isServed(configured)).isTrue();
	}

	@Test
	void filterIsReadyWhenItIsLoadedWhereNothingElseIsAskedFor() throws Exception {
		assertState(FilterState.LOADING, null);
		refresh();
		assertState(FilterState.LOADING, null);
		load();
		assertState(FilterState.READY, null);
		assertThat(changes()).containsExactly("products is READY");
	}

	@Test
	void filterSettlesThenProvesItselfAndIsReadyThen() throws Exception {
		filter(FilterMode.ENFORCE, 20, Duration.ofMinutes(10));
		load();
		assertState(FilterState.SETTLING, "rebuild.settle");
		this.clock.pass(Duration.ofMinutes(10));
		refresh();
		assertState(FilterState.SETTLING, "in 0 s");
		load();
		assertState(FilterState.PROVING, "0 of 20 different keys");
		prove();
		assertState(FilterState.READY, null);
		assertThat(changes()).containsExactly("products is SETTLING", "products is PROVING", "products is READY");
	}

	@Test
	void reasonIsTheOneOfTheMomentInWhichItIsAskedFor() throws Exception {
		filter(FilterMode.ENFORCE, 20, Duration.ofMinutes(10));
		load();
		assertState(FilterState.SETTLING, "in 10 min");
		this.clock.pass(Duration.ofMinutes(9));
		refresh();
		assertState(FilterState.SETTLING, "in 60 s");
		this.clock.pass(Duration.ofMinutes(1));
		load();
		Instant since = this.filter.stateChange().since();
		this.filter.evidence().noteAbsent("absent");
		refresh();
		refresh();
		assertState(FilterState.PROVING, "1 of 20 different keys");
		assertThat(this.filter.stateChange().since()).isEqualTo(since);
	}

	@Test
	void filterThatIsMistrustedIsLostUntilItIsLoadedAgain() throws Exception {
		load();
		this.filter.mistrust("a key may be missing");
		assertState(FilterState.LOST, "a key may be missing");
		assertThat(this.filter.isLost()).isTrue();
		load();
		assertState(FilterState.READY, null);
		assertThat(this.filter.isLost()).isFalse();
		assertThat(changes()).containsExactly("products is READY", "products is LOST", "products is READY");
	}

	@Test
	void filterThatIsRefutedSaysSoUntilItIsAcknowledged() throws Exception {
		filter(FilterMode.ENFORCE, 20, Duration.ZERO);
		load();
		this.clock.pass(Duration.ofMillis(1));
		this.filter.evidence().noteWrong("wrong");
		refresh();
		assertState(FilterState.REFUTED, "a key was found that it called absent");
		this.filter.acknowledge().join();
		assertState(FilterState.PROVING, "0 of 20");
	}

	@Test
	void filterIsUnreachableWhenItsRecordWasReadTooLongAgo() throws Exception {
		load();
		this.clock.pass(ControlRecord.LEASE.minusNanos(1));
		assertState(FilterState.READY, null);
		this.clock.pass(Duration.ofNanos(1));
		assertState(FilterState.UNREACHABLE, null);
		refresh();
		assertState(FilterState.READY, null);
	}

	@Test
	void filterIsUnreachableWhileRedisDoesNotAnswerAndSaysWhy() throws Exception {
		load();
		fail();
		refresh();
		assertState(FilterState.UNREACHABLE, "Redis does not answer");
		assertThat(this.filter.isLost()).isFalse();
	}

	@Test
	void filterThatAnswersNothingIsNotUnreachableBecauseARefreshIsLate() {
		refresh();
		this.clock.pass(Duration.ofHours(1));
		assertState(FilterState.LOADING, null);
	}

	@Test
	void filterIsUnreachableFromTheBeginningIfRedisDoesNotAnswer() {
		fail();
		refresh();
		assertState(FilterState.UNREACHABLE, "Redis does not answer");
	}

	@Test
	void filterIsNotLostBeforeItIsKnownThatRedisAnswers() throws Exception {
		load();
		this.filter.mistrust("a key may be missing");
		fail();
		refresh();
		assertThat(this.filter.isLost()).isFalse();
		assertState(FilterState.UNREACHABLE, "Redis does not answer");
	}

	@Test
	void shadowModeShowsWhatDisturbsItAndIsShadowOtherwise() throws Exception {
		filter(FilterMode.SHADOW, 20, Duration.ZERO);
		assertState(FilterState.SHADOW, null);
		load();
		assertState(FilterState.SHADOW, "it answers nothing in this mode; with enforce: it is loaded, and proves");
		this.clock.pass(Duration.ofMillis(1));
		this.filter.evidence().noteWrong("wrong");
		refresh();
		assertState(FilterState.REFUTED, "a key was found that it called absent");
		this.filter.acknowledge().join();
		prove();
		assertState(FilterState.SHADOW, null);
		this.filter.mistrust("a key may be missing");
		assertState(FilterState.LOST, "a key may be missing");
		this.clock.pass(Duration.ofHours(1));
		load();
		assertState(FilterState.SHADOW, null);
	}

	@Test
	void filterThatIsOffIsOffWhateverHappens() throws Exception {
		filter(FilterMode.OFF, 0, Duration.ZERO);
		assertState(FilterState.OFF, null);
		load();
		assertState(FilterState.OFF, null);
		this.filter.mistrust("a key may be missing");
		assertThat(this.filter.state()).isEqualTo(FilterState.OFF);
		assertThat(this.filter.isLost()).as("it is loaded all the same").isTrue();
		fail();
		refresh();
		assertThat(this.filter.state()).isEqualTo(FilterState.OFF);
		assertThat(changes()).isEmpty();
	}

	@Test
	void modeThatIsSwitchedAtRunTimeShowsAtOnce() throws Exception {
		load();
		this.filter.switchTo(new ModeSwitch(FilterMode.SHADOW, Instant.EPOCH, null)).join();
		assertState(FilterState.SHADOW, null);
		this.filter.switchTo(new ModeSwitch(FilterMode.OFF, Instant.EPOCH, null)).join();
		assertState(FilterState.OFF, null);
		this.filter.switchTo(null).join();
		assertState(FilterState.READY, null);
		assertThat(changes()).containsExactly("products is READY", "products is SHADOW", "products is OFF",
				"products is READY");
	}

}
