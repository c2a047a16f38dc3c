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

package io.github.bloomguard.cache;

import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for {@link LoadChain}.
 */
class LoadChainTests {

	private final LoadChain first = new LoadChain();

	private final LoadChain second = new LoadChain();

	private final LoadChain third = new LoadChain();

	@Test
	void waitsForNoFlightThatItLeadsItself() {
		assertThat(this.first.awaits(new Flight(this.first))).isFalse();
		assertThat(this.first.awaits(new Flight(this.second))).isTrue();
		assertThat(this.first.awaits(new Flight(null))).isTrue();
	}

	@Test
	void oneThatWouldCloseACycleDoesNotWait() {
		assertThat(this.first.awaits(new Flight(this.second))).isTrue();
		assertThat(this.second.awaits(new Flight(this.third))).isTrue();
		assertThat(this.third.awaits(new Flight(this.first))).isFalse();
		assertThat(this.second.awaits(new Flight(this.first))).isFalse();
		assertThat(this.first.awaits(new Flight(this.third))).as("the third does not wait").isTrue();
	}

	@Test
	void oneWhoseLoadsWaitForSeveralWaitsForEach() {
		assertThat(this.first.awaits(new Flight(this.second))).isTrue();
		assertThat(this.first.awaits(new Flight(this.third))).isTrue();
		assertThat(this.second.awaits(new Flight(this.first))).isFalse();
		assertThat(this.third.awaits(new Flight(this.first))).isFalse();
	}

	@Test
	void oneThatGoesOnIsNoPartOfACycleAnyMore() {
		Flight flight = new Flight(this.second);
		assertThat(this.first.awaits(flight)).isTrue();
		this.first.goesOn(flight);
		assertThat(this.second.awaits(new Flight(this.first))).isTrue();
	}

	@Test
	void loadThatNoOtherOneWaitsForLeavesItsThreadWithTheChainThatItHas() {
		LoadChain outer = LoadChain.begin(this.first);
		assertThat(LoadChain.begin(null)).isSameAs(this.first);
		assertThat(LoadChain.current()).isSameAs(this.first);
		LoadChain.end(outer);
		assertThat(LoadChain.current()).isNull();
	}

}
