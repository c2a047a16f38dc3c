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

package io.github.bloomguard.guard;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.Membership;
import io.github.bloomguard.UnknownFilterException;
import io.github.bloomguard.UnsupportedKeyException;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.RecordingListener;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for {@link GuardedFilter} in an application with Redis.
 */
@Tag("slow")
class GuardedFilterTests {

	private static final int LAST = 2000;

	private static final RecordingListener listener = new RecordingListener();

	@AutoClose
	private static final TestRedis redis = TestRedis.start().reset("watched");

	private static GuardApplication application;

	private static BloomGuard guard;

	private static GuardedFilter products;

	private static long candidate = 1_000_000;

	@BeforeAll
	static void start() {
		application = GuardApplication.start(redis,
				List.of(new Keys("products", LAST), new Keys("watched", LAST), listener),
				"bloom-guard.filters.products.false-positive-probability=0.3",
				"bloom-guard.filters.products.expected-insertions=3000",
				"bloom-guard.filters.products.rebuild.max-false-positive-factor=0",
				"bloom-guard.filters.watched.mode=shadow", "bloom-guard.filters.watched.expected-insertions=3000",
				"bloom-guard.filters.watched.verification.required-calls=0",
				"bloom-guard.filters.watched.rebuild.settle=0s",
				"bloom-guard.filters.watched.false-positive-probability=0.3",
				"bloom-guard.filters.watched.rebuild.max-false-positive-factor=0",
				"bloom-guard.filters.watched.rebuild.longest-transaction=100ms", "bloom-guard.timeout=1s");
		guard = application.guard();
		products = application.filter("products");
	}

	@AfterAll
	static void stop() {
		application.close();
	}

	@BeforeEach
	void awaitReady() {
		for (String filter : List.of("products", "watched")) {
			Awaitility.await().pollDelay(Duration.ZERO).until(() -> guard.membership(filter, 1) == Membership.MAYBE);
		}
		listener.clear();
	}

	@Test
	void existingKeyPassesAndAbsentOneIsAnswered() {
		Decision verdict = products.check(1).await();
		assertThat(verdict.membership()).isEqualTo(Membership.MAYBE);
		assertThat(verdict.answered()).isFalse();
		assertThat(verdict.epoch()).isPositive();
		assertThat(products.check(absent("products")).await()).isEqualTo(Decision.ABSENT);
		assertThat(listener.events()).containsExactly("products MAYBE through", "products ABSENT answered");
	}

	@Test
	void keyThatHasPassedIsNotAskedForAgainUntilTheFilterIsAnotherOne() {
		GuardedFilter forgetful = products.withEmptyTtl(Duration.ZERO);
		Decision first = forgetful.check(3).await();
		assertThat(first.membership()).isEqualTo(Membership.MAYBE);
		long before = redis.commands();
		for (int i = 0; i < 1000; i++) {
			assertThat(forgetful.check(3).await()).isEqualTo(first);
		}
		assertThat(redis.commands() - before).isLessThan(500);
		redis.command("FLUSHALL");
		Awaitility.await().pollDelay(Duration.ZERO).until(() -> !forgetful.check(3).await().equals(first));
	}

	@Test
	void addingAKeyTakesOneRoundTrip() {
		long before = redis.calls("evalsha");
		for (int i = 1; i <= 200; i++) {
			guard.add("watched", i);
		}
		assertThat(redis.calls("evalsha") - before).as("with some refreshes").isBetween(200L, 300L);
	}

	@Test
	void asynchronousAnswersAreTheSameOnThreadsThatMayBeBlocked() {
		assertThat(products.check(1).future().join().membership()).isEqualTo(Membership.MAYBE);
		assertThat(products.check(absent("products")).future().join()).isEqualTo(Decision.ABSENT);
		assertThat(Objects.requireNonNull(listener.lastThread()).getName()).doesNotContain("redisson");
		List<Object> keys = List.of(1, absent("products"), 2);
		assertThat(products.possible(keys).future().join()).isEqualTo(products.possible(keys).await());
		assertThat(products.possible(keys).await().positions()).isEqualTo(bits(0, 2));
	}

	@Test
	void nullKeyAlwaysPasses() {
		assertThat(products.check(null).await()).isEqualTo(Decision.UNKNOWN);
		assertThat(products.check(null).future().join()).isEqualTo(Decision.UNKNOWN);
		assertThat(guard.membership("products", null)).isEqualTo(Membership.UNKNOWN);
		assertThat(guard.mightContain("products", null)).isTrue();
		products.loaded(null, Decision.UNKNOWN, true, false);
		guard.add("products");
		assertThat(listener.events()).noneMatch((event) -> event.contains("added"));
	}

	@Test
	void keyWithoutAFormIsRefusedByEachMethod() {
		Object key = new Object();
		for (Runnable call : List.<Runnable>of(() -> products.check(key).await(), () -> products.check(key).future(),
				() -> products.membership(key), () -> products.possible(List.of(1, key)).await(),
				() -> products.possible(List.of(1, key)).future(), () -> guard.add("products", 1, key),
				() -> guard.mightContain("products", key))) {
			assertThatExceptionOfType(UnsupportedKeyException.class).isThrownBy(call::run)
				.withMessageContaining("java.lang.Object");
		}
	}

	@Test
	void unknownFilterIsNamedWithTheKnownOnes() {
		assertThatExceptionOfType(UnknownFilterException.class).isThrownBy(() -> guard.mightContain("prodcts", 1))
			.withMessageContaining("'prodcts'")
			.withMessageContaining("products")
			.withMessageContaining("watched");
	}

	@Test
	void manyKeysAreDecidedAtOnceInTheirOrder() {
		List<@Nullable Object> keys = new ArrayList<>();
		LongStream.rangeClosed(1, LAST).forEach(keys::add);
		keys.add(700, null);
		LongStream.range(0, 1500).forEach((i) -> keys.add(absent("products")));
		keys.add(null);
		BitSet possible = products.possible(keys).await().positions();
		assertThat(possible.cardinality()).isEqualTo(LAST + 2);
		assertThat(IntStream.range(0, LAST + 1)).allMatch(possible::get);
		assertThat(possible.get(keys.size() - 1)).isTrue();
		assertThat(products.possible(keys).future().join().positions()).isEqualTo(possible);
		assertThat(products.possible(List.of()).await().positions()).isEqualTo(bits());
		assertThat(products.possible(Arrays.asList(null, null)).await().positions()).isEqualTo(bits(0, 1));
	}

	@Test
	void eachOfManyKeysIsCounted() {
		Object absent = absent("products");
		products.possible(Arrays.asList(1, absent, 2, null, absent)).await();
		assertThat(listener.events()).containsExactly("products MAYBE through", "products ABSENT answered",
				"products MAYBE through", "products ABSENT answered");
	}

	@Test
	void addedKeysAreFoundAtOnceWhateverTheirType() {
		long first = absent("products");
		long second = absent("products");
		guard.add("products", first, String.valueOf(second));
		assertThat(guard.mightContain("products", first)).isTrue();
		assertThat(guard.mightContain("products", second)).isTrue();
		assertThat(listener.events()).contains("products added 2");
	}

	@Test
	void compositeKeyIsOneKeyWhateverContainerItComesIn() {
		long parts = absentPair();
		guard.add("products", List.of(parts, parts));
		assertThat(guard.membership("products", new Pair(parts, parts))).isEqualTo(Membership.MAYBE);
		assertThat(guard.membership("products", new Object[] { parts, parts })).isEqualTo(Membership.MAYBE);
		assertThat(guard.membership("products", parts)).isEqualTo(Membership.ABSENT);
		assertThat(listener.events()).contains("products added 1");
	}

	@Test
	void keyMayHaveAsManyPartsAsItLikes() {
		long part = candidate;
		List<Long> parts;
		do {
			part++;
			parts = LongStream.range(part, part + 9).boxed().toList();
		}
		while (guard.membership("products", parts) != Membership.ABSENT);
		application.written("products").add(List.of(parts));
		assertThat(guard.membership("products", parts)).isEqualTo(Membership.MAYBE);
	}

	@Test
	void loaderIsCalledForKeysThatMayExistOnly() {
		assertThat(guard.get("products", 1, () -> "one")).isEqualTo("one");
		assertThat(guard.<String, RuntimeException>get("products", absent("products"), () -> {
			throw new AssertionError("was called");
		})).isNull();
		assertThat(guard.get("products", null, () -> "for null")).isEqualTo("for null");
		assertThatExceptionOfType(IOException.class).isThrownBy(() -> guard.get("products", 1, () -> {
			throw new IOException("broken");
		}));
	}

	@Test
	void keyThatPassedAndWasNotFoundIsRememberedForItsTime() {
		long key = falsePositive("products");
		assertThat(guard.<String, RuntimeException>get("products", key, () -> null)).isNull();
		awaitSentinel(key);
		assertThat(products.check(key).await()).isEqualTo(Decision.REMEMBERED);
		assertThat(products.check(key).future().join()).isEqualTo(Decision.REMEMBERED);
		assertThat(guard.mightContain("products", key)).as("the filter does not say so").isTrue();
		assertThat(products.withEmptyTtl(Duration.ZERO).check(key).await().answered()).isFalse();
		assertThat(Long.parseLong(redis.command("PTTL", sentinel(key)))).isBetween(1L, 70_000L);
		assertThat(listener.events()).contains("products false positive", "products MAYBE answered");
	}

	@Test
	void whatOneScopeDoesNotFindAnotherMay() {
		long key = falsePositive("products");
		GuardedFilter prices = products.scopedTo("prices");
		prices.loaded(key, prices.check(key).await(), true, false);
		awaitSentinel(key);
		assertThat(prices.check(key).await()).isEqualTo(Decision.REMEMBERED);
		assertThat(products.scopedTo("stocks").check(key).await().answered()).isFalse();
		assertThat(products.check(key).await().answered()).isFalse();
		guard.add("products", key);
		assertThat(prices.check(key).await().answered()).isFalse();
	}

	@Test
	void timeToLiveOfASentinelIsThatOfTheCaller() {
		long key = falsePositive("products");
		GuardedFilter brief = products.withEmptyTtl(Duration.ofMillis(500));
		assertThat(brief.name()).isEqualTo("products");
		brief.loaded(key, brief.check(key).await(), true, false);
		Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> brief.check(key).await().answered());
		Awaitility.await().atMost(Duration.ofSeconds(3)).until(() -> !brief.check(key).await().answered());
	}

	@Test
	void onlyKeysThatPassedTheFilterAndWereNotFoundAreRemembered() {
		long found = falsePositive("products");
		long unknown = falsePositive("products");
		long unwanted = falsePositive("products");
		long empty = falsePositive("products");
		products.loaded(found, products.check(found).await(), false, false);
		products.loaded(unknown, Decision.UNKNOWN, true, false);
		products.withEmptyTtl(Duration.ZERO).loaded(unwanted, products.check(unwanted).await(), true, false);
		products.loaded(empty, products.check(empty).await(), true, false);
		awaitSentinel(empty);
		assertThat(List.of(found, unknown, unwanted)).allMatch((key) -> remembered(key).isEmpty());
	}

	@Test
	void addedKeyIsNotRememberedAsEmptyInEitherOrder() {
		long rememberedFirst = falsePositive("products");
		products.loaded(rememberedFirst, products.check(rememberedFirst).await(), true, false);
		awaitSentinel(rememberedFirst);
		long addedFirst = falsePositive("products");
		Decision before = products.check(addedFirst).await();
		guard.add("products", rememberedFirst, addedFirst);
		products.loaded(addedFirst, before, true, false);
		long later = falsePositive("products");
		products.loaded(later, products.check(later).await(), true, false);
		awaitSentinel(later);
		for (long key : List.of(rememberedFirst, addedFirst)) {
			assertThat(remembered(key)).isEmpty();
			assertThat(products.check(key).await().answered()).isFalse();
		}
	}

	@Test
	void nothingIsRememberedOfATimeBeforeEverythingWasLost() {
		long key = falsePositive("products");
		Decision before = products.check(key).await();
		redis.command("FLUSHALL");
		products.loaded(key, before, true, false);
		awaitReady();
		products.loaded(key, before, true, false);
		long later = falsePositive("products");
		products.loaded(later, products.check(later).await(), true, false);
		awaitSentinel(later);
		assertThat(remembered(key)).isEmpty();
	}

	@Test
	void watchedFilterCountsAndNeverAnswers() {
		GuardedFilter watched = application.filter("watched");
		long absent = absent("watched");
		assertThat(watched.check(absent).await()).isEqualTo(Decision.LET_THROUGH);
		assertThat(watched.check(absent).future().join().answered()).isFalse();
		assertThat(watched.possible(List.of(absent, 1)).await().positions()).isEqualTo(bits(0, 1));
		assertThat(guard.mightContain("watched", absent)).isTrue();
		assertThat(guard.membership("watched", absent)).isEqualTo(Membership.ABSENT);
		assertThat(guard.get("watched", absent, () -> "found")).isEqualTo("found");
		Awaitility.await().until(() -> guard.membership("watched", absent) == Membership.MAYBE);
		assertThat(listener.events()).contains("watched ABSENT through", "watched false negative")
			.doesNotContain("watched ABSENT answered");
	}

	@Test
	void watchedFilterDoesNotAnswerFromASentinelEither() {
		GuardedFilter watched = application.filter("watched");
		long key = falsePositive("watched");
		redis.command("HSET", "bloom-guard:{watched}:empty:" + key, "empty:", "");
		assertThat(watched.check(key).await().answered()).isFalse();
		assertThat(watched.check(key).future().join().answered()).isFalse();
		watched.loaded(key, watched.check(key).await(), true, false);
		assertThat(listener.events()).contains("watched MAYBE through", "watched false positive")
			.doesNotContain("watched MAYBE answered");
	}

	@Test
	void switchedOffFilterAsksNothingAndStillAdds() {
		try (GuardApplication off = switchedOff()) {
			GuardedFilter filter = off.products().guard();
			long key = absent("products");
			redis.freeze();
			try {
				long start = System.nanoTime();
				assertThat(filter.check(key).await()).isEqualTo(Decision.UNKNOWN);
				assertThat(filter.check(key).future().join()).isEqualTo(Decision.UNKNOWN);
				assertThat(filter.membership(key)).isEqualTo(Membership.UNKNOWN);
				assertThat(filter.possible(List.of(key, 1)).await().positions()).isEqualTo(bits(0, 1));
				assertThat(filter.check(new Object()).await()).isEqualTo(Decision.UNKNOWN);
				assertThat(System.nanoTime() - start).isLessThan(TimeUnit.MILLISECONDS.toNanos(800));
			}
			finally {
				redis.thaw();
			}
			awaitReady();
			off.guard().add("products", key);
			assertThat(guard.membership("products", key)).isEqualTo(Membership.MAYBE);
		}
	}

	@Test
	void switchedOffFilterWithoutSourcesIsNotRebuiltEmpty() {
		try (GuardApplication off = switchedOff()) {
			assertThatExceptionOfType(CompletionException.class)
				.isThrownBy(() -> off.guard().rebuild("products").orTimeout(10, TimeUnit.SECONDS).join())
				.withMessageContaining("'products' has no source of keys");
			assertThat(IntStream.rangeClosed(1, LAST)).allMatch((id) -> guard.mightContain("products", id));
		}
	}

	private static GuardApplication switchedOff() {
		return GuardApplication.start(redis, List.of(), "bloom-guard.filters.products.mode=off",
				"bloom-guard.filters.products.expected-insertions=3000",
				"bloom-guard.filters.products.false-positive-probability=0.3", "bloom-guard.timeout=1s");
	}

	private static long absent(String filter) {
		return next(filter, Membership.ABSENT);
	}

	/**
	 * Return what is absent both alone and together with itself.
	 */
	private static long absentPair() {
		long part = absent("products");
		while (guard.membership("products", List.of(part, part)) != Membership.ABSENT) {
			part = absent("products");
		}
		return part;
	}

	private static long falsePositive(String filter) {
		return next(filter, Membership.MAYBE);
	}

	private static long next(String filter, Membership wanted) {
		while (guard.membership(filter, ++candidate) != wanted) {
			assertThat(candidate).isLessThan(2_000_000);
		}
		return candidate;
	}

	private static void awaitSentinel(long key) {
		Awaitility.await().pollInterval(Duration.ofMillis(5)).until(() -> remembered(key).startsWith("empty"));
	}

	private static String remembered(long key) {
		return redis.command("HKEYS", sentinel(key));
	}

	private static String sentinel(long key) {
		return "bloom-guard:{products}:empty:" + key;
	}

	private static BitSet bits(int... bits) {
		BitSet set = new BitSet();
		IntStream.of(bits).forEach(set::set);
		return set;
	}

	private record Pair(long first, long second) {

	}

}
