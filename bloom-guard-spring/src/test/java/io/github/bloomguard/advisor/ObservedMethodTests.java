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

package io.github.bloomguard.advisor;

import java.lang.reflect.Method;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;

import ch.qos.logback.classic.Level;
import io.github.bloomguard.FilterMode;
import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.declaration.AnnotatedMethod;
import io.github.bloomguard.testsupport.LogLines;
import org.junit.jupiter.api.Test;

import org.springframework.util.ReflectionUtils;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/**
 * Tests for {@link ObservedMethod}.
 */
class ObservedMethodTests {

	private static final Duration PERIOD = Duration.ofSeconds(10);

	private long now = 42;

	private final ObservedMethod method = observe("findBySku", "");

	@Test
	void loadsAreCountedByWhatTheyHaveFound() {
		load("a", "row");
		load("b", null);
		load("b", Optional.empty());
		this.method.failed(new Object[] { "c" }, new NoSuchElementException(), this.now);
		this.method.failed(new Object[] { "d" }, new IllegalStateException(), this.now);
		assertThat(this.method.count(LoadOutcome.FOUND)).isEqualTo(1);
		assertThat(this.method.count(LoadOutcome.EMPTY)).isEqualTo(3);
		assertThat(this.method.count(LoadOutcome.FAILED)).isEqualTo(1);
		assertThat(this.method.emptyShare()).isEqualTo(0.6);
		assertThat(this.method.keys(LoadOutcome.EMPTY)).isEqualTo(2);
	}

	@Test
	void timesAreAddedUp() {
		for (int i = 0; i < 3; i++) {
			long start = this.now;
			this.now += Duration.ofMillis(2).toNanos();
			this.method.returned(new Object[] { "a" }, null, start);
		}
		assertThat(this.method.time(LoadOutcome.EMPTY)).isEqualTo(Duration.ofMillis(6));
	}

	@Test
	void rateIsThatOfTheLastPeriod() {
		load(500, "a", null);
		this.now += PERIOD.toNanos();
		load(1, "a", null);
		assertThat(this.method.emptyPerSecond()).isCloseTo(50, within(1.0));
		this.now += PERIOD.toNanos();
		assertThat(this.method.emptyPerSecond()).isZero();
	}

	@Test
	void adviceIsGivenOnceWhenItIsWorthIt() {
		try (LogLines log = LogLines.of(ObservedMethod.class, Level.INFO)) {
			load(999, "a", null);
			this.now += PERIOD.toNanos();
			load("b", "row");
			assertThat(log.lines()).isEmpty();
			load(1000, "a", null);
			for (int i = 0; i < 5; i++) {
				this.now += PERIOD.toNanos();
				load("c", null);
			}
			assertThat(log.lines()).singleElement()
				.asString()
				.startsWith("INFO ObservedMethodTests.Shop.findBySku: 100 % of 2,001 loads found nothing, 100 a second,"
						+ " for about 2 different keys; a filter of 1.2 MB would spare them, once it has settled and proven itself: ")
				.contains("bloom-guard.filters.skus.warm-up.query=select sku from <table>",
						"bloom-guard.filters.skus.expected-insertions=1000000", "bloom-guard.filters.skus.caches=skus",
						"@BloomGuarded(filter = \"skus\", key = \"#sku\")");
		}
	}

	@Test
	void fewLoadsThatFindNothingAreNoReasonForAFilter() {
		load(1000, "a", null);
		load(9001, "b", "row");
		assertThat(this.method.isWorthFilter()).isFalse();
		load(1, "a", null);
		load(200, "a", null);
		assertThat(this.method.isWorthFilter()).isTrue();
	}

	@Test
	void exceptionForNothingIsSuggestedAsWhatIsMissing() {
		this.method.failed(new Object[] { "a" }, new NoSuchElementException(), this.now);
		assertThat(this.method.suggestion().annotation()).endsWith(", missing = NoSuchElementException.class)");
	}

	@Test
	void exceptionThatFewLoadsHaveThrownIsNotSuggested() {
		load(2, "a", null);
		this.method.failed(new Object[] { "malformed" }, new NoSuchElementException(), this.now);
		assertThat(this.method.suggestion().annotation()).doesNotContain("missing");
	}

	@Test
	void expectedInsertionsLeaveRoomForWhatWasFound() {
		for (int i = 0; i < 1_200_000; i++) {
			this.method.returned(new Object[] { i }, "row", this.now);
		}
		assertThat(this.method.suggestion().properties()).containsEntry("bloom-guard.filters.skus.expected-insertions",
				"3000000");
	}

	@Test
	void keyIsTheParameterThatTheCacheNames() {
		assertThat(observe("findInShop", "#sku").suggestion().annotation()).contains("key = \"#sku\"");
		assertThat(observe("findInShop", "#p0").suggestion().annotation()).contains("key = \"#shop\"");
		assertThat(observe("findInShop", "").suggestion().annotation()).contains("key = \"{#shop, #sku}\"");
		assertThat(observe("findInShop", "").suggestion().properties())
			.containsEntry("bloom-guard.filters.skus.warm-up.query", "select shop, sku from <table>");
	}

	@Test
	void keyThatTheAnnotationRefusesIsNotSuggested() {
		Suggestion suggestion = observe("findByShopAndSkuIgnoreCase", "").suggestion();
		assertThat(suggestion.annotation()).contains("key = \"{#shop, #sku.toLowerCase()}\"");
		assertThat(suggestion.properties()).containsEntry("bloom-guard.filters.skus.warm-up.query",
				"select shop, lower(sku) from <table>");
	}

	@Test
	void refusalOfTheAnnotationIsPartOfTheAdvice() {
		List<Object> checked = new ArrayList<>();
		ObservedMethod observed = new ObservedMethod(lookUp("findBySku", ""), List.of(), null, new Filters(),
				(method, filter, key, missing, cached) -> {
					checked.addAll(Arrays.asList(filter, key, missing, cached));
					return new InvalidGuardException("it is refused", "write another");
				}, () -> this.now);
		assertThat(observed).asString().endsWith("key = \"#sku\"), but it is refused: write another");
		assertThat(checked).startsWith("String", "#sku", null, false);
	}

	@Test
	void filterHasNotTheNameOfAnother() {
		assertThat(observe("findBySku", "", "taken").suggestion().properties())
			.containsKey("bloom-guard.filters.taken-by-sku.expected-insertions");
	}

	private void load(String key, Object result) {
		load(1, key, result);
	}

	private void load(int times, String key, Object result) {
		for (int i = 0; i < times; i++) {
			this.method.returned(new Object[] { key }, result, this.now);
		}
	}

	private ObservedMethod observe(String name, String key) {
		return observe(name, key, "skus");
	}

	private ObservedMethod observe(String name, String key, String cache) {
		return new ObservedMethod(lookUp(name, key), List.of(cache), null, new Filters(),
				(method, filter, suggested, missing, cached) -> null, () -> this.now);
	}

	private static LookUp lookUp(String name, String key) {
		Method method = ReflectionUtils.findMethod(Shop.class, name, (Class<?>[]) null);
		return LookUp.of(AnnotatedMethod.of(method, Shop.class), key);
	}

	interface Shop {

		String findBySku(String sku);

		String findInShop(int shop, String sku);

		String findByShopAndSkuIgnoreCase(int shop, String sku);

	}

	private static final class Filters implements KnownFilters {

		@Override
		public FilterMode mode(String filter) {
			return filter.equals("taken") ? FilterMode.ENFORCE : null;
		}

		@Override
		public double falsePositiveProbability() {
			return 0.01;
		}

		@Override
		public Map<String, String> suggestSource(LookUp lookUp) {
			return Map.of();
		}

	}

}
