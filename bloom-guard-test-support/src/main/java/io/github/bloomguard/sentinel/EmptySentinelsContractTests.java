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

package io.github.bloomguard.sentinel;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.RecordSteps;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * What holds for all {@link EmptySentinels}. A back end extends this.
 */
public abstract class EmptySentinelsContractTests {

	protected static final Duration TTL = Duration.ofMinutes(1);

	protected static final String ORIGIN = "origin";

	/**
	 * Return the sentinels of the filter {@code products}, of which nothing is known when
	 * a test begins. All sentinels of one test share what they know. No transaction takes
	 * any time.
	 * @param origin where the keys come from
	 * @param addedRetention how long a key counts as added lately
	 * @return the sentinels
	 */
	protected abstract EmptySentinels newSentinels(String origin, Duration addedRetention);

	/**
	 * Return where the control record of this filter is, with a journal that may take a
	 * megabyte.
	 * @param addedRetention how long a key counts as added lately
	 * @return the store
	 */
	protected abstract ControlStore newControl(Duration addedRetention);

	@Test
	void keyIsRememberedForItsScopeAndItsTime() {
		beginRecord();
		assertThat(contains("7", "")).isFalse();
		remember("7", "", Duration.ofMillis(400));
		assertThat(contains("7", "")).isTrue();
		assertThat(contains("7", "prices")).isFalse();
		assertThat(contains("8", "")).isFalse();
		EmptySentinels sentinels = newSentinels(ORIGIN, TTL);
		assertThat(sentinels.containsAny("7", "").join()).isTrue();
		assertThat(sentinels.containsAny("8", "").join()).isFalse();
		assertThat(newSentinels("other", TTL).containsAny("7", "").join()).isFalse();
		Awaitility.await().until(() -> !contains("7", ""));
		remember("7", "", TTL);
		assertThat(contains("7", "")).as("anew").isTrue();
	}

	@Test
	void laterScopeOfAKeyLivesNoLongerThanTheFirst() {
		beginRecord();
		remember("7", "brief", Duration.ofMillis(400));
		remember("7", "long", TTL);
		assertThat(contains("7", "long")).isTrue();
		Awaitility.await().until(() -> !contains("7", "brief") && !contains("7", "long"));
	}

	@Test
	void whatAnApplicationWithOtherSourcesDidNotFindIsNotKnown() {
		beginRecord();
		remember("7", "findById", TTL);
		assertThat(newSentinels("other", TTL).contains("7", "findById").join()).isFalse();
	}

	@Test
	void addForgetsThatAKeyWasNotFound() {
		beginRecord();
		remember("7", "", TTL);
		remember("7", "prices", TTL);
		remember("8", "", TTL);
		add("7");
		assertThat(contains("7", "")).isFalse();
		assertThat(contains("7", "prices")).isFalse();
		assertThat(contains("8", "")).isTrue();
	}

	@Test
	void eachAddForgetsWhatIsUncertain() {
		beginRecord();
		Duration brief = Duration.ofMillis(50);
		Awaitility.await().until(() -> {
			newSentinels(ORIGIN, brief).remember(EmptySentinels.UNCERTAIN, "\n007", TTL, epoch()).join();
			return contains(EmptySentinels.UNCERTAIN, "\n007");
		});
		assertThat(contains(EmptySentinels.UNCERTAIN, "\n08")).isFalse();
		assertThat(sentinels().containsAny(EmptySentinels.UNCERTAIN, "\n007").join()).isTrue();
		assertThat(sentinels().containsAny(EmptySentinels.UNCERTAIN, "\n07").join()).isFalse();
		add("8");
		assertThat(contains(EmptySentinels.UNCERTAIN, "\n007")).isFalse();
		remember(EmptySentinels.UNCERTAIN, "\n007", TTL);
		assertThat(contains(EmptySentinels.UNCERTAIN, "\n007")).as("after an add of lately").isFalse();
	}

	@Test
	void keyThatWasAddedLatelyIsNotRemembered() {
		beginRecord();
		add("7");
		remember("7", "", TTL);
		remember("8", "", TTL);
		assertThat(contains("7", "")).isFalse();
		assertThat(contains("8", "")).isTrue();
	}

	@Test
	void nothingIsRememberedWhileKeysThatWereForgottenWouldCountAsAddedLately() {
		ControlStore control = newControl(TTL);
		add("7");
		long since = control.read().join().journalSince();
		for (int i = 1; i < 100 && control.read().join().journalSince() == since; i++) {
			control.append(IntStream.range(1000 * i, 1000 * i + 1000).mapToObj(String::valueOf).toList(), List.of())
				.join();
		}
		assertThat(control.read().join().journalSince()).isNotEqualTo(since);
		remember("7", "", TTL);
		assertThat(contains("7", "")).isFalse();
	}

	@Test
	void keyMayBeRememberedAgainSomeTimeAfterItWasAdded() {
		Duration brief = Duration.ofMillis(50);
		newControl(brief).append(List.of("7"), List.of()).join();
		Awaitility.await().until(() -> {
			newSentinels(ORIGIN, brief).remember("7", "", TTL, epoch()).join();
			return contains("7", "");
		});
	}

	@Test
	void sentinelCountsInTheEpochInWhichItWasWritten() {
		beginRecord();
		remember("7", "", TTL);
		moveEpoch();
		assertThat(contains("7", "")).isFalse();
		remember("7", "", TTL);
		assertThat(contains("7", "")).isTrue();
	}

	@Test
	void nothingIsRememberedOfAnotherEpoch() {
		sentinels().remember("7", "", TTL, 0).join();
		assertThat(contains("7", "")).as("without a record").isFalse();
		beginRecord();
		sentinels().remember("7", "", TTL, epoch() - 1).join();
		sentinels().remember("7", "", TTL, 0).join();
		assertThat(contains("7", "")).isFalse();
	}

	private void beginRecord() {
		add("another");
	}

	private void moveEpoch() {
		ControlStore control = newControl(TTL);
		control.acquire("me", TTL).join();
		Generation generation = Generation.loading(new FilterSpecification("products", 1000, 0.01), 1000, ORIGIN);
		assertThat(new RecordSteps(control).begin("me", generation, TTL, Duration.ZERO).join()).isTrue();
	}

	private void add(String key) {
		newControl(TTL).append(List.of(key), List.of()).join();
	}

	private void remember(String key, String scope, Duration ttl) {
		sentinels().remember(key, scope, ttl, epoch()).join();
	}

	private boolean contains(String key, String scope) {
		return sentinels().contains(key, scope).join();
	}

	private long epoch() {
		return newControl(TTL).read().join().epoch();
	}

	private EmptySentinels sentinels() {
		return newSentinels(ORIGIN, TTL);
	}

}
