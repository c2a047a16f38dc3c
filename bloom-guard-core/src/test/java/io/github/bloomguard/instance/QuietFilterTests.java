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

import io.github.bloomguard.BloomGuardListener;
import io.github.bloomguard.circuit.CircuitBreaker;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Evidence;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.Generation.Phase;
import io.github.bloomguard.generation.JournalPosition;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.generation.Proof;
import io.github.bloomguard.generation.Doubt;
import io.github.bloomguard.generation.Rollout;
import io.github.bloomguard.generation.Trust;
import io.github.bloomguard.instance.GenerationalFilter.Quiet;
import io.github.bloomguard.testsupport.FilterSettingsBuilder;
import io.github.bloomguard.testsupport.SettableClock;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.mock;

/**
 * Tests for a {@link GenerationalFilter} at which nothing happens.
 */
class QuietFilterTests {

	private static final long NOW = Instant.parse("2026-11-29T00:00:00Z").toEpochMilli();

	private static final FilterSettings SETTINGS = new FilterSettingsBuilder().build();

	/**
	 * The last key that was added becomes too old to be kept in a minute.
	 */
	private static final JournalPosition END = new JournalPosition(NOW + 59_000
			- Math.max(SETTINGS.adding().journalRetention().toMillis(), SETTINGS.adding().addedRetention().toMillis()),
			0);

	private final ControlStore control = mock();

	private final FilterStore store = mock();

	private final StoredFilter bits = mock();

	private final SettableClock clock = new SettableClock();

	private final GenerationalFilter filter = new GenerationalFilter(SETTINGS, Origin.of("origin"), this.store,
			this.control, CircuitBreaker.ofFilters(Duration.ofSeconds(1), Duration.ofSeconds(1)), this.clock,
			new BloomGuardListener() {
			});

	private String stamp = "stamp";

	private boolean sameServer = true;

	private Rollout rollout = Rollout.OVER;

	@BeforeEach
	void refresh() {
		given(this.control.refresh(any(Evidence.class)))
			.willAnswer((read) -> CompletableFuture.completedFuture(record()));
		given(this.store.open(any(), any())).willReturn(this.bits);
		given(this.bits.isIntact()).willReturn(CompletableFuture.completedFuture(true));
		this.filter.refresh().join();
	}

	private ControlRecord record() {
		Generation active = new Generation("id", new FilterSpecification("products", 1000, 0.01), 1000, "salt",
				"origin", Instant.EPOCH, Phase.ACTIVE);
		return new ControlRecord(1, List.of(active), new Trust(this.rollout, Proof.NONE, Doubt.NONE), this.sameServer,
				1, END, NOW, 1, 0, null, List.of(), 0, this.stamp);
	}

	private Quiet quiet() {
		return Objects.requireNonNull(this.filter.quiet());
	}

	@Test
	void filterAnswersForAsLongAsItsRecordIsSeenUnchangedAndReadsItOnce() {
		for (int second = 1; second <= 10; second++) {
			this.clock.pass(Duration.ofSeconds(1));
			this.filter.unchanged(quiet(), NOW + 1000 * second);
			assertThat(this.filter.isAnswering()).isTrue();
			assertThat(this.filter.serverTime()).isEqualTo(NOW + 1000 * second);
		}
		then(this.control).should().refresh(any(Evidence.class));
		this.clock.pass(ControlRecord.LEASE);
		assertThat(this.filter.isAnswering()).isFalse();
	}

	@Test
	void trustBeginsWhenTheLookBeganAndNotWhenItsAnswerCame() {
		Quiet quiet = quiet();
		this.clock.pass(Duration.ofMillis(1500));
		this.filter.unchanged(quiet, NOW + 1000);
		this.clock.pass(Duration.ofMillis(500));
		assertThat(this.filter.isAnswering()).isFalse();
	}

	@Test
	void whatWasGivenUpMeanwhileStaysGivenUp() {
		Quiet quiet = quiet();
		given(this.control.refresh(any(Evidence.class))).willReturn(new CompletableFuture<>());
		this.filter.mistrust("it may lack a key");
		this.filter.unchanged(quiet, NOW + 500);
		assertThat(this.filter.isAnswering()).isFalse();
		assertThat(this.filter.quiet()).isNull();
	}

	@Test
	void filterThatIsNotTrustedAnyMoreReadsItsRecord() {
		this.clock.pass(ControlRecord.LEASE);
		assertThat(this.filter.quiet()).isNull();
	}

	@Test
	void filterWithSomethingToReportReadsItsRecord() {
		this.filter.evidence().noteWrong("7");
		assertThat(this.filter.quiet()).isNull();
	}

	@Test
	void filterWhoseRecordCanNotBeToldFromOthersReadsIt() {
		this.stamp = "";
		this.filter.refresh().join();
		assertThat(this.filter.quiet()).isNull();
	}

	@Test
	void filterBesideARivalReadsItsRecord() {
		this.rollout = new Rollout(0, Long.MAX_VALUE, NOW - 1000, 0, 0);
		this.filter.refresh().join();
		assertThat(this.filter.quiet()).isNull();
	}

	@Test
	void recordIsReadWhenAddedKeysAreTooOldToBeKept() {
		this.filter.unchanged(quiet(), NOW + 59_999);
		this.filter.unchanged(quiet(), NOW + 60_000);
		assertThat(this.filter.quiet()).isNull();
	}

	@Test
	void bitsOfAFilterThatNothingAsksAreLookedAt() {
		given(this.bits.isIntact()).willReturn(CompletableFuture.completedFuture(false));
		this.filter.lookAtBits();
		assertThat(this.filter.active()).isNull();
	}

}
