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

package io.github.bloomguard.feed;

import java.time.Duration;
import java.util.List;

import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.RecordSteps;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What holds for all {@link CheckpointStore}. A back end extends this.
 */
public abstract class CheckpointStoreContractTests {

	protected static final String ORIGIN = "origin";

	private static final String ME = "me";

	protected CheckpointStore checkpoints;

	protected String active;

	protected String loading;

	private ControlStore control;

	/**
	 * Return the checkpoints of the filter {@code products}, of which nothing is known
	 * when a test begins. All checkpoints of one test share what they know.
	 * @param origin where the keys come from
	 * @return the checkpoints
	 */
	protected abstract CheckpointStore newMarks(String origin);

	/**
	 * Return where the control record of this filter is.
	 * @return the store
	 */
	protected abstract ControlStore newControl();

	@BeforeEach
	final void listTwoGenerations() {
		this.checkpoints = newMarks(ORIGIN);
		this.control = newControl();
		this.control.acquire(ME, Duration.ofMinutes(1)).join();
		this.active = begin();
		new RecordSteps(this.control).goLive(ME, this.active, "").join();
		assertThat(new RecordSteps(this.control).activate(ME, this.active, this.control.read().join().journalSince())
			.join()).isTrue();
		this.loading = begin();
	}

	private String begin() {
		Generation generation = Generation.loading(new FilterSpecification("products", 1000, 0.01), 1000, ORIGIN);
		assertThat(new RecordSteps(this.control).begin(ME, generation, Duration.ZERO, Duration.ZERO).join()).isTrue();
		return generation.id();
	}

	@Test
	void eachGenerationHasItsOwnMark() {
		assertThat(this.checkpoints.read(this.active).join()).isEmpty();
		assertThat(this.checkpoints.start(this.active, new Checkpoint(1)).join()).isTrue();
		assertThat(this.checkpoints.start(this.loading, new Checkpoint("x|é")).join()).isTrue();
		assertThat(this.checkpoints.read(this.active).join()).contains(new Checkpoint(1));
		assertThat(this.checkpoints.read(this.loading).join()).contains(new Checkpoint("x|é"));
	}

	@Test
	void generationThatIsNotListedGetsNoMark() {
		assertThat(this.checkpoints.start("unknown", new Checkpoint(1)).join()).isFalse();
		assertThat(this.checkpoints.read("unknown").join()).isEmpty();
	}

	@Test
	void markIsDroppedWithItsGeneration() {
		this.checkpoints.start(this.loading, new Checkpoint(1)).join();
		assertThat(new RecordSteps(this.control).retire(ME).join()).extracting(Generation::id)
			.containsExactly(this.loading);
		new RecordSteps(this.control).drop(List.of(this.loading)).join();
		assertThat(this.checkpoints.read(this.loading).join()).isEmpty();
		assertThat(this.checkpoints.move(this.loading, new Checkpoint(1), new Checkpoint(5)).join()).isFalse();
		assertThat(this.checkpoints.start(this.loading, new Checkpoint(1)).join()).isFalse();
	}

	@Test
	void markMovesOnlyFromWhereItIs() {
		this.checkpoints.start(this.active, new Checkpoint(1)).join();
		assertThat(this.checkpoints.move(this.active, new Checkpoint(1), new Checkpoint(5)).join()).isTrue();
		assertThat(this.checkpoints.move(this.active, new Checkpoint(1), new Checkpoint(3)).join()).isFalse();
		assertThat(this.checkpoints.read(this.active).join()).contains(new Checkpoint(5));
		assertThat(this.checkpoints.move(this.active, new Checkpoint(1), new Checkpoint(5)).join()).as("repeated")
			.isTrue();
	}

	@Test
	void markThatWasNeverSetIsNotMoved() {
		assertThat(this.checkpoints.move(this.active, new Checkpoint(1), new Checkpoint(5)).join()).isFalse();
		assertThat(this.checkpoints.read(this.active).join()).isEmpty();
	}

	@Test
	void thereIsOneTurnInEachInterval() {
		Duration interval = Duration.ofMillis(300);
		assertThat(this.checkpoints.takeTurn(interval).join()).isZero();
		assertThat(this.checkpoints.takeTurn(interval).join()).isBetween(Duration.ofMillis(1), interval);
		Awaitility.await()
			.atMost(Duration.ofSeconds(5))
			.until(() -> this.checkpoints.takeTurn(interval).join().isZero());
	}

	@Test
	void applicationsWithOtherSourcesHaveTheirOwnTurns() {
		Duration interval = Duration.ofMinutes(1);
		assertThat(this.checkpoints.takeTurn(interval).join()).isZero();
		assertThat(newMarks("other").takeTurn(interval).join()).isZero();
	}

}
