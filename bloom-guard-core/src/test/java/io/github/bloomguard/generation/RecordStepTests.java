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

package io.github.bloomguard.generation;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.generation.ControlStore.Swap;
import io.github.bloomguard.generation.Generation.Phase;
import io.github.bloomguard.generation.RecordState.Listed;
import org.junit.jupiter.api.Test;
import org.mockito.Answers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.times;

/**
 * Tests for {@link RecordStep}.
 */
class RecordStepTests {

	private static final String ME = "me";

	private final Generation generation = Generation.loading(new FilterSpecification("products", 1000, 0.01), 1000,
			"origin");

	private final ControlStore store = mock(ControlStore.class, Answers.CALLS_REAL_METHODS);

	private final Queue<RecordState> read = new ArrayDeque<>();

	RecordStepTests() {
		given(this.store.state()).willAnswer((call) -> CompletableFuture
			.completedFuture((this.read.size() > 1) ? this.read.remove() : this.read.element()));
	}

	private RecordState record(String stamp, Phase phase) {
		return new RecordState(stamp, 1000, true, 1, 0,
				Map.of(this.generation.id(), new Listed(this.generation.in(phase), 1, "")), Map.of(),
				ModeSwitches.NONE);
	}

	private void swaps(Swap... outcomes) {
		Queue<Swap> left = new ArrayDeque<>(List.of(outcomes));
		given(this.store.swap(any(), any(), any())).willAnswer(
				(call) -> CompletableFuture.completedFuture((left.size() > 1) ? left.remove() : left.element()));
	}

	@Test
	void stepThatIsOvertakenIsDecidedAnewByWhatIsThereThen() {
		RecordState later = record("2", Phase.RETIRED);
		this.read.addAll(List.of(record("1", Phase.LOADING), later));
		swaps(Swap.MOVED, Swap.MADE);
		assertThat(new RecordSteps(this.store).goLive(ME, this.generation.id(), "").join()).isFalse();
		then(this.store).should().swap(ME, later, later);
	}

	@Test
	void stepOfAFormerBuilderChangesNothing() {
		this.read.add(record("1", Phase.LOADING));
		swaps(Swap.FENCED);
		assertThat(new RecordSteps(this.store).goLive(ME, this.generation.id(), "").join()).isFalse();
		assertThat(new RecordSteps(this.store).begin(ME, this.generation, Duration.ZERO, Duration.ZERO).join())
			.as("also if there is nothing to change")
			.isFalse();
	}

	@Test
	void stepEndsIfTheRecordNeverStandsStill() {
		this.read.add(record("1", Phase.LOADING));
		swaps(Swap.MOVED);
		assertThat(new RecordSteps(this.store).goLive(ME, this.generation.id(), "")).isCompletedExceptionally();
		then(this.store).should(times(20)).swap(any(), any(), any());
	}

	@Test
	void nothingIsSwappedByAnybodyIfThereIsNothingToDo() {
		this.read.add(record("1", Phase.LIVE));
		new RecordSteps(this.store).acknowledge().join();
		new RecordSteps(this.store).drop(List.of(this.generation.id())).join();
		then(this.store).should(never()).swap(any(), any(), any());
	}

}
