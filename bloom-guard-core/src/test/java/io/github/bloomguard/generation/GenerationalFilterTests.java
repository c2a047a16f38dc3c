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
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.Membership;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.gate.RedisGate;
import io.github.bloomguard.generation.Generation.Phase;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mockito.InOrder;
import org.redisson.RedissonShutdownException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.ArgumentMatchers.eq;
import static org.mockito.BDDMockito.given;
import static org.mockito.BDDMockito.then;
import static org.mockito.Mockito.atLeastOnce;
import static org.mockito.Mockito.inOrder;
import static org.mockito.Mockito.mock;

/**
 * Tests for {@link GenerationalFilter} with a Redis whose answers are there at once.
 */
class GenerationalFilterTests {

	private static final FilterSpecification SPECIFICATION = new FilterSpecification("products", 1000, 0.01);

	private final ControlStore control = mock();

	private final FilterStore store = mock();

	private final StoredFilter bits = mock();

	private final List<String> steps = new ArrayList<>();

	private final List<FilterState> states = new ArrayList<>();

	private final TestClock clock = new TestClock();

	private final GenerationalFilter filter = new GenerationalFilter("products", "origin", this.store, this.control,
			new RedisGate("calls go through", Duration.ofSeconds(1)), this.clock,
			(from, to, cause) -> this.states.add(to));

	private long epoch;

	private @Nullable String active;

	private String origin = "origin";

	private Proof proof = Proof.NONE;

	private boolean sameServer = true;

	GenerationalFilterTests() {
		given(this.control.refresh(anyLong())).willAnswer((invocation) -> {
			this.steps.add("read");
			return CompletableFuture.completedFuture(record());
		});
		given(this.store.open(any(), any())).willReturn(this.bits);
		given(this.bits.lookup("salta")).willReturn(CompletableFuture.completedFuture(Membership.ABSENT));
		given(this.bits.isIntact()).willAnswer((invocation) -> {
			this.steps.add("look");
			return CompletableFuture.completedFuture(true);
		});
	}

	@Test
	void refreshEndsBeforeAnotherBegins() {
		this.active = "first";
		CompletableFuture<ControlRecord> slow = new CompletableFuture<>();
		given(this.control.refresh(anyLong())).willAnswer((invocation) -> {
			this.steps.add("read slowly");
			return slow;
		}).willAnswer((invocation) -> {
			this.steps.add("read");
			return CompletableFuture.completedFuture(record());
		});
		this.steps.clear();
		CompletableFuture<Boolean> first = this.filter.refresh();
		CompletableFuture<Boolean> second = this.filter.refresh();
		assertThat(this.filter.refreshIfIdle().join()).isFalse();
		ControlRecord old = record();
		this.active = "second";
		slow.complete(old);
		assertThat(first).isCompletedWithValue(true);
		assertThat(second).isCompletedWithValue(true);
		assertThat(this.steps).containsExactly("read slowly", "look", "read", "look");
		assertThat(this.filter.active()).extracting(Generation::id).isEqualTo("second");
	}

	@Test
	@Tag("slow")
	void refreshThatHangsIsGivenUpAndFollowedByOthers() {
		this.active = "first";
		CompletableFuture<ControlRecord> hung = new CompletableFuture<>();
		ControlRecord old = record();
		given(this.control.refresh(anyLong())).willReturn(hung).willAnswer((invocation) -> {
			this.steps.add("read");
			return CompletableFuture.completedFuture(record());
		});
		assertThat(this.filter.refresh()).succeedsWithin(Duration.ofSeconds(20)).isEqualTo(false);
		assertThat(this.filter.state()).isEqualTo(FilterState.UNREACHABLE);
		this.active = "second";
		this.filter.refresh().join();
		hung.complete(old);
		assertThat(this.filter.active()).as("the older record came later")
			.extracting(Generation::id)
			.isEqualTo("second");
	}

	@Test
	void stateIsWhatLookupsAreAnsweredBy() {
		this.active = "first";
		this.filter.refresh().join();
		assertThat(this.filter.state()).isEqualTo(FilterState.READY);
		assertThat(this.filter.lookup("a").join()).isEqualTo(Membership.ABSENT);
		this.clock.now += ControlRecord.TRUST.toNanos();
		assertThat(this.filter.lookup("a").join()).isEqualTo(Membership.UNKNOWN);
		assertThat(this.filter.state()).isEqualTo(FilterState.UNREACHABLE);
		assertThat(this.filter.isAnswering()).isFalse();
		this.filter.refresh().join();
		assertThat(this.filter.state()).isEqualTo(FilterState.READY);
		assertThat(this.states).containsExactly(FilterState.READY, FilterState.UNREACHABLE, FilterState.READY);
	}

	@Test
	void mistrustGivesUpAllGenerationsThatThereAreAndThoseThatCameWhileRedisDidNotAnswer() {
		this.active = "first";
		this.filter.refresh().join();
		given(this.control.refresh(anyLong())).willReturn(CompletableFuture.failedFuture(new IllegalStateException()));
		this.filter.mistrust("a key could not be added");
		assertThat(this.filter.lookup("a").join()).isEqualTo(Membership.UNKNOWN);
		this.active = "second";
		given(this.control.refresh(anyLong())).willAnswer((invocation) -> CompletableFuture.completedFuture(record()));
		this.filter.refresh().join();
		assertThat(this.filter.state()).isEqualTo(FilterState.LOST);
		then(this.store).should(atLeastOnce()).delete(eq(new GenerationId("products", "second")), any());
		this.active = "third";
		this.filter.refresh().join();
		assertThat(this.filter.state()).isEqualTo(FilterState.READY);
	}

	@Test
	void answerThatIsUnderWayWhenTheFilterIsMistrustedIsNotGiven() {
		this.active = "first";
		this.filter.refresh().join();
		CompletableFuture<Membership> answer = new CompletableFuture<>();
		given(this.bits.lookup("salta")).willReturn(answer);
		CompletableFuture<Membership> asked = this.filter.lookup("a");
		this.filter.mistrust("a key could not be added");
		answer.complete(Membership.ABSENT);
		assertThat(asked).isCompletedWithValue(Membership.UNKNOWN);
	}

	@Test
	void mistrustCountsForARecordThatIsJustBeingRead() {
		this.active = "first";
		CompletableFuture<ControlRecord> reading = new CompletableFuture<>();
		given(this.control.refresh(anyLong())).willReturn(reading)
			.willReturn(CompletableFuture.failedFuture(new IllegalStateException()));
		this.filter.refresh();
		this.filter.mistrust("a key could not be added");
		reading.complete(record());
		assertThat(this.filter.lookup("a").join()).isEqualTo(Membership.UNKNOWN);
		assertThat(this.filter.state()).isNotEqualTo(FilterState.READY);
	}

	@Test
	void generationThatWasReplacedWhileItWasLookedAtIsNotLost() {
		this.active = "first";
		this.filter.refresh().join();
		given(this.bits.isIntact()).willAnswer((invocation) -> {
			this.active = "second";
			return CompletableFuture.completedFuture(false);
		}).willReturn(CompletableFuture.completedFuture(true));
		this.filter.refresh().join();
		assertThat(this.filter.active()).extracting(Generation::id).isEqualTo("second");
		assertThat(this.states).containsExactly(FilterState.READY);
	}

	@Test
	void activeGenerationWhoseBitsAreGoneIsLost() {
		this.active = "first";
		this.filter.refresh().join();
		given(this.bits.isIntact()).willReturn(CompletableFuture.completedFuture(false));
		this.filter.refresh().join();
		assertThat(this.states).containsExactly(FilterState.READY, FilterState.LOST);
		then(this.store).should(atLeastOnce()).delete(eq(new GenerationId("products", "first")), any());
	}

	@Test
	void generationIsGivenUpWhenAnotherServerAnswers() {
		this.active = "first";
		this.filter.refresh().join();
		this.sameServer = false;
		this.filter.refresh().join();
		assertThat(this.filter.lookup("a").join()).isEqualTo(Membership.UNKNOWN);
		assertThat(this.states).containsExactly(FilterState.READY, FilterState.LOST);
		then(this.store).should(atLeastOnce()).delete(eq(new GenerationId("products", "first")), any());
	}

	@Test
	void generationOfAnotherOriginIsNotAsked() {
		this.active = "first";
		this.origin = "another";
		this.filter.refresh().join();
		assertThat(this.filter.active()).isNull();
		assertThat(this.filter.state()).isEqualTo(FilterState.WARMING_UP);
	}

	@Test
	void refutedGenerationIsNotAskedAndIsStillThere() {
		this.active = "first";
		this.proof = new Proof(7, "first");
		this.filter.refresh().join();
		assertThat(this.filter.lookup("a").join()).isEqualTo(Membership.UNKNOWN);
		assertThat(this.filter.state()).isEqualTo(FilterState.REFUTED);
		assertThat(this.filter.isServed(SPECIFICATION)).isTrue();
		this.proof = Proof.NONE;
		this.filter.refresh().join();
		assertThat(this.filter.state()).isEqualTo(FilterState.READY);
	}

	@Test
	void provingCallsAreToldOnceAndCountedAtOnce() {
		this.active = "first";
		this.proof = new Proof(5, null);
		this.filter.refresh().join();
		this.filter.prove(2);
		assertThat(this.filter.provingCalls()).isEqualTo(7);
		this.filter.refresh().join();
		this.filter.refresh().join();
		InOrder told = inOrder(this.control);
		told.verify(this.control).refresh(0);
		told.verify(this.control).refresh(2);
		told.verify(this.control).refresh(0);
	}

	@Test
	void refreshThatCouldNotEvenAskIsFollowedByOthers() {
		this.active = "first";
		given(this.control.refresh(anyLong())).willThrow(new RedissonShutdownException("closing"))
			.willReturn(CompletableFuture.completedFuture(record()));
		assertThat(this.filter.refresh().join()).isFalse();
		assertThat(this.filter.state()).isEqualTo(FilterState.UNREACHABLE);
		assertThat(this.filter.refresh().join()).isTrue();
		assertThat(this.filter.state()).isEqualTo(FilterState.READY);
	}

	private ControlRecord record() {
		List<Generation> generations = (this.active != null) ? List
			.of(new Generation(this.active, SPECIFICATION, 1000, "salt", this.origin, Instant.EPOCH, Phase.ACTIVE))
				: List.of();
		return new ControlRecord(++this.epoch, generations, this.proof, this.sameServer, 1, 10_000, 1);
	}

	private static final class TestClock implements MonotonicClock {

		private long now;

		@Override
		public long nanoTime() {
			return this.now;
		}

		@Override
		public CompletableFuture<Void> after(Duration delay) {
			return CompletableFuture.completedFuture(null);
		}

	}

}
