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

import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.Generation.Phase;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.Trust;
import io.github.bloomguard.instance.Mirrors.Refreshed;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.never;

/**
 * Tests for {@link LatestSnapshot} in a process that was stopped: what was asked before
 * is answered beside what it asks when it goes on.
 */
class LatestSnapshotTests {

	private final FilterStore store = mock();

	private final ControlStore control = mock();

	private final LatestSnapshot latest = new LatestSnapshot(this.store, this.control, mock(),
			LatestSnapshot.Choice.OF_ORIGIN);

	private final CompletableFuture<Boolean> intact = new CompletableFuture<>();

	private CompletableFuture<Void> late = new CompletableFuture<>();

	@BeforeEach
	void showARecordWhileTheBitsOfAnOlderOneAreLookedAt() {
		StoredFilter bits = mock();
		given(this.store.open(any(), any())).willReturn(bits);
		given(bits.isIntact()).willReturn(this.intact).willReturn(CompletableFuture.completedFuture(true));
		this.late = update("first", 1);
		assertThat(update("second", 2)).isCompleted();
		assertThat(shown()).isEqualTo("second");
	}

	@Test
	void olderRecordIsNotShownInPlaceOfANewerOne() {
		this.intact.complete(true);
		assertThat(this.late).isCompleted();
		assertThat(shown()).isEqualTo("second");
	}

	@Test
	void bitsThatANewerRecordListsAreNotDeletedBecauseAnOlderOneDoesNot() {
		given(this.control.refresh(any())).willReturn(CompletableFuture.completedFuture(record("between", 1)));
		this.intact.complete(false);
		assertThat(this.late).isCompleted();
		assertThat(shown()).isEqualTo("second");
		then(this.store).should(never()).delete(any(), any());
	}

	@Test
	void filterIsNotLostBecauseTheBitsOfAnOlderRecordAreGone() {
		given(this.control.refresh(any())).willReturn(CompletableFuture.completedFuture(record("first", 1)));
		this.intact.complete(false);
		assertThat(this.late).isCompleted();
		assertThat(shown()).isEqualTo("second");
		assertThat(this.latest.get().loss()).isNull();
	}

	private CompletableFuture<Void> update(String active, long readAt) {
		return this.latest.update(new Refreshed(record(active, readAt), null), readAt,
				new LatestSnapshot.Known(0, 0, JournalPosition.START), "origin");
	}

	private String shown() {
		ActiveGeneration active = this.latest.get().active();
		return (active != null) ? active.generation().id() : "none";
	}

	private static ControlRecord record(String active, long epoch) {
		return new ControlRecord(
				epoch, List.of(new Generation(active, new FilterSpecification("products", 1000, 0.01), 1000, "salt",
						"origin", Instant.EPOCH, Phase.ACTIVE)),
				Trust.NONE, true, 1, JournalPosition.START, 10_000, 1, 0, null);
	}

}
