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

package io.github.bloomguard.deciding;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.github.bloomguard.Membership;
import io.github.bloomguard.circuit.CircuitBreaker;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mockito.ArgumentMatchers.any;
import static org.mockito.ArgumentMatchers.anyList;
import static org.mockito.ArgumentMatchers.anyLong;
import static org.mockito.BDDMockito.given;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.withSettings;

/**
 * Tests for {@link ManyKeys}.
 */
class ManyKeysTests {

	private final FilterLookup lookup = mock(FilterLookup.class, withSettings().stubOnly());

	private final CircuitBreaker breaker = CircuitBreaker.ofFilters(Duration.ofMinutes(1), Duration.ofMinutes(1));

	private final List<Integer> asked = new ArrayList<>();

	@BeforeEach
	void answer() {
		given(this.lookup.formIfAsked(any())).willReturn("form");
		given(this.lookup.askMemory(any(), any(), any())).willReturn(Membership.UNKNOWN);
		given(this.lookup.onlyIfCertain(any(), any())).willAnswer((invocation) -> invocation.getArgument(1));
		given(this.lookup.bounded(any(), any(), anyLong())).willAnswer((invocation) -> this.breaker
			.bounded(invocation.<CompletableFuture<Object>>getArgument(0), invocation.getArgument(2))
			.exceptionally((failure) -> invocation.getArgument(1)));
		given(this.lookup.ask(any(), anyList())).willAnswer((invocation) -> {
			List<String> forms = invocation.getArgument(1);
			this.asked.add(forms.size());
			return CompletableFuture.completedFuture(Collections.nCopies(forms.size(), Membership.ABSENT));
		});
	}

	@Test
	void keysAreAskedForSomeAtATimeSoThatOthersGetTheirTurn() {
		ManyKeys keys = keys(10_000, Duration.ofMinutes(1)).ask(Runnable::run).join();
		assertThat(this.asked).hasSize(20).containsOnly(500);
		assertThat(answers(keys)).containsOnly(Membership.ABSENT).hasSize(10_000);
	}

	@Test
	void keyThatWasNotAskedForInTimeIsUnknownAndItsFormIsNotEvenMade() {
		CompletableFuture<List<Membership>> never = new CompletableFuture<>();
		given(this.lookup.ask(any(), anyList())).willAnswer((invocation) -> {
			List<String> forms = invocation.getArgument(1);
			this.asked.add(forms.size());
			return (this.asked.size() == 1)
					? CompletableFuture.completedFuture(Collections.nCopies(forms.size(), Membership.ABSENT)) : never;
		});
		this.asked.clear();
		ManyKeys keys = keys(10_000, Duration.ofSeconds(1)).ask(Runnable::run).join();
		assertThat(answers(keys).subList(0, 500)).containsOnly(Membership.ABSENT);
		assertThat(answers(keys).subList(500, 10_000)).containsOnly(Membership.UNKNOWN);
		assertThat(this.asked).as("what is asked when the time is up").hasSizeLessThan(4);
		assertThat(keys.form(9_999)).isNull();
	}

	@Test
	void makingTheFormsCountsAsWaiting() {
		given(this.lookup.formIfAsked(any())).willAnswer((invocation) -> {
			long end = System.nanoTime() + 200_000;
			while (System.nanoTime() - end < 0) {
				Thread.onSpinWait();
			}
			return "slow";
		});
		ManyKeys keys = keys(1_000_000, Duration.ofMillis(500)).ask(Runnable::run).join();
		assertThat(this.asked).as("a chunk takes 100 ms").hasSizeLessThan(7);
		assertThat(keys.answer(999_999)).isEqualTo(Membership.UNKNOWN);
	}

	private ManyKeys keys(int count, Duration timeout) {
		long deadline = System.nanoTime() + timeout.toNanos();
		given(this.lookup.deadline()).willReturn(deadline);
		return new ManyKeys(IntStream.range(0, count).boxed().toList(), this.lookup);
	}

	private static List<Membership> answers(ManyKeys keys) {
		return IntStream.range(0, keys.size()).mapToObj(keys::answer).toList();
	}

}
