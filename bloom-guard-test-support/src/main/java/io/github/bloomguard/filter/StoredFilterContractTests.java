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

package io.github.bloomguard.filter;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.bloomguard.Membership;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * What holds for the filters of every {@link FilterStore}. A back end extends this.
 */
public abstract class StoredFilterContractTests {

	/**
	 * How many keys most of the filters are for.
	 */
	protected static final long KEYS = 1000;

	protected static final String PRESENT = "present";

	private static final String OTHER = "other";

	private static final Map<Class<?>, AtomicInteger> ids = new ConcurrentHashMap<>();

	/**
	 * Return the store.
	 * @return a store whose handles share nothing with those of other stores
	 */
	protected abstract FilterStore newStore();

	/**
	 * Return the size of a filter.
	 * @param keys how many keys it is for
	 * @return the size
	 */
	protected FilterSpecification specification(long keys) {
		return new FilterSpecification("products", keys, 0.01);
	}

	/**
	 * Return what can happen to a filter behind our back.
	 * @return by the descriptions, what does it to a filter
	 */
	protected abstract Map<String, Consumer<GenerationId>> damages();

	@Test
	void newFilterKnowsNothingBeforeItIsSealed() {
		StoredFilter filter = create(newId());
		filter.add(List.of(PRESENT)).join();
		assertKnowsNothing(filter);
	}

	@Test
	void sealedFilterKnowsWhatWasAdded() {
		GenerationId id = newId();
		StoredFilter filter = createSealed(id);
		assertIsIntact(filter);
		assertIsIntact(newStore().open(id, specification(KEYS)));
	}

	@Test
	void handleThatWasOpenedBeforeTheFilterWasCreatedKnowsItAfterwards() {
		GenerationId id = newId();
		StoredFilter early = newStore().open(id, specification(KEYS));
		assertKnowsNothing(early);
		createSealed(id);
		assertIsIntact(early);
	}

	@Test
	void elementsAddedAfterTheSealAreFoundThroughEachHandle() {
		GenerationId id = newId();
		StoredFilter filter = createSealed(id);
		StoredFilter second = newStore().open(id, specification(KEYS));
		assertThat(second.lookup(OTHER).join()).isEqualTo(Membership.ABSENT);
		filter.add(List.of(OTHER)).join();
		assertThat(second.lookup(OTHER).join()).isEqualTo(Membership.MAYBE);
		newStore().open(id, specification(KEYS)).add(List.of("third")).join();
		assertThat(filter.lookup(List.of("third", OTHER, PRESENT)).join()).containsOnly(Membership.MAYBE);
	}

	@Test
	void answersAreInTheOrderOfTheQuestions() {
		StoredFilter filter = createSealed(newId());
		filter.add(List.of("b")).join();
		assertThat(filter.lookup(List.of("a", "b", PRESENT, "c", "b")).join()).containsExactly(Membership.ABSENT,
				Membership.MAYBE, Membership.MAYBE, Membership.ABSENT, Membership.MAYBE);
		assertThat(filter.lookup(List.of()).join()).isEmpty();
	}

	@Test
	void anyTextIsAnElement() {
		StoredFilter filter = createSealed(newId());
		List<String> strange = List.of("", " ", "\0", "ä€😀", "a".repeat(100_000), "\"", "1|1:7");
		assertThat(filter.lookup(strange).join()).containsOnly(Membership.ABSENT);
		filter.add(strange).join();
		assertThat(filter.lookup(strange).join()).containsOnly(Membership.MAYBE);
	}

	@Test
	void whatIsAnsweredHereIsWhatLookupsAnswer() {
		StoredFilter filter = create(newId());
		assertThat(filter.lookupInMemory("", PRESENT)).isEqualTo(Membership.UNKNOWN);
		assertThat(filter.lookupInMemory("", 7)).isEqualTo(Membership.UNKNOWN);
		filter.add(List.of("salt7", "salt-12")).join();
		filter.seal().join();
		for (long number : new long[] { 7, -12, 70, 12, 0, Long.MIN_VALUE }) {
			Membership answer = filter.lookup("salt" + number).join();
			assertThat(filter.lookupInMemory("salt", number)).isIn(answer, Membership.UNKNOWN);
			assertThat(filter.lookupInMemory("salt", String.valueOf(number)))
				.isEqualTo(filter.lookupInMemory("salt", number));
		}
	}

	@Test
	void addingNothingIsAllowed() {
		StoredFilter filter = createSealed(newId());
		filter.add(List.of()).join();
		assertIsIntact(filter);
	}

	@Test
	void noAddedElementIsAbsentAndFewOthersPass() {
		StoredFilter filter = create(newId());
		List<String> elements = IntStream.range(0, 1000).mapToObj(String::valueOf).toList();
		filter.add(elements).join();
		filter.seal().join();
		assertThat(filter.lookup(elements).join()).containsOnly(Membership.MAYBE);
		List<Membership> others = filter.lookup(IntStream.range(1000, 11_000).mapToObj(String::valueOf).toList())
			.join();
		assertThat(Collections.frequency(others, Membership.MAYBE)).isBetween(1, 200);
		assertThat(Collections.frequency(others, Membership.UNKNOWN)).isZero();
		assertThat(filter.occupancy().join().insertions()).isBetween(900L, 1100L);
	}

	@Test
	void fillLevelOfALargeFilterIsEstimated() {
		StoredFilter filter = newStore().create(newId(), specification(10_000_000)).join();
		for (int from = 0; from < 20_000; from += 1000) {
			filter.add(IntStream.range(from, from + 1000).mapToObj(String::valueOf).toList()).join();
		}
		assertThat(filter.occupancy().join().insertions()).isBetween(19_000L, 21_000L);
	}

	@Test
	void firstLookupsAtTheSameTimeAreAllAnswered() {
		GenerationId id = newId();
		createSealed(id);
		StoredFilter filter = newStore().open(id, specification(KEYS));
		List<CompletableFuture<Membership>> answers = new ArrayList<>();
		for (int i = 0; i < 100; i++) {
			answers.add(filter.lookup(PRESENT));
		}
		assertThat(answers.stream().map(CompletableFuture::join)).containsOnly(Membership.MAYBE);
	}

	@Test
	void filterCanNotBeCreatedTwice() {
		GenerationId id = newId();
		StoredFilter filter = createSealed(id);
		CompletableFuture<StoredFilter> second = newStore().create(id, specification(KEYS));
		assertThatExceptionOfType(CompletionException.class).isThrownBy(second::join).withMessageContaining(id.id());
		assertIsIntact(filter);
	}

	@Test
	void filterThatWasNeverCreatedKnowsAndTakesNothing() {
		StoredFilter filter = newStore().open(newId(), specification(KEYS));
		assertKnowsNothing(filter);
		assertIsGone(filter);
		assertThat(isSealed(filter)).isFalse();
		assertKnowsNothing(filter);
	}

	@Test
	void deletedFilterKnowsAndTakesNothing() {
		GenerationId id = newId();
		StoredFilter filter = createSealed(id);
		newStore().delete(id, specification(KEYS)).join();
		assertKnowsNothing(filter);
		assertIsGone(filter);
		assertThat(isSealed(filter)).isFalse();
		assertKnowsNothing(filter);
		assertKnowsNothing(newStore().open(id, specification(KEYS)));
		newStore().delete(id, specification(KEYS)).join();
	}

	@TestFactory
	Stream<DynamicTest> damagedFilterKnowsNothing() {
		return forEachDamage((id, damage) -> {
			StoredFilter filter = createSealed(id);
			assertIsIntact(filter);
			damage.accept(id);
			assertKnowsNothing(filter);
			assertKnowsNothing(newStore().open(id, specification(KEYS)));
		});
	}

	@TestFactory
	Stream<DynamicTest> damagedFilterIsNotHealedByAdding() {
		return forEachDamage((id, damage) -> {
			StoredFilter filter = createSealed(id);
			damage.accept(id);
			for (StoredFilter handle : List.of(filter, newStore().open(id, specification(KEYS)))) {
				CompletableFuture<Void> added = handle.add(List.of(OTHER, PRESENT))
					.exceptionallyCompose((failure) -> (failure instanceof FilterGoneException
							|| failure.getCause() instanceof FilterGoneException)
									? CompletableFuture.completedFuture(null)
									: CompletableFuture.failedFuture(failure));
				assertThat(added).succeedsWithin(Duration.ofSeconds(10));
				assertKnowsNothing(handle);
			}
		});
	}

	@TestFactory
	Stream<DynamicTest> filterThatWasDamagedBeforeIsNotSealed() {
		return forEachDamage((id, damage) -> {
			StoredFilter filter = create(id);
			filter.add(List.of(PRESENT)).join();
			damage.accept(id);
			filter.add(List.of(OTHER)).exceptionally((failure) -> null).join();
			assertThat(isSealed(filter)).isFalse();
		});
	}

	private Stream<DynamicTest> forEachDamage(DamageTest test) {
		return damages().entrySet()
			.stream()
			.map((damage) -> DynamicTest.dynamicTest(damage.getKey(), () -> test.run(newId(), damage.getValue())));
	}

	/**
	 * Return an id that each run of the tests has: an element that is not there passes by
	 * mistake for one id in ten thousand.
	 */
	protected final GenerationId newId() {
		int number = ids.computeIfAbsent(getClass(), (type) -> new AtomicInteger()).incrementAndGet();
		return new GenerationId("products",
				UUID.nameUUIDFromBytes((getClass().getName() + number).getBytes(StandardCharsets.UTF_8)).toString());
	}

	protected final StoredFilter create(GenerationId id) {
		return newStore().create(id, specification(KEYS)).join();
	}

	protected final StoredFilter createSealed(GenerationId id) {
		StoredFilter filter = create(id);
		filter.add(List.of(PRESENT)).join();
		assertThat(filter.seal().join()).isTrue();
		return filter;
	}

	protected final StoredFilter open(FilterStore store, GenerationId id) {
		return store.open(id, specification(KEYS));
	}

	protected final void assertIsIntact(StoredFilter filter) {
		assertThat(filter.lookup(PRESENT).join()).isEqualTo(Membership.MAYBE);
		assertThat(filter.lookup("absent").join()).isEqualTo(Membership.ABSENT);
		assertThat(filter.lookup(List.of("absent", PRESENT)).join()).containsExactly(Membership.ABSENT,
				Membership.MAYBE);
		assertThat(filter.isIntact().join()).isTrue();
	}

	protected final void assertKnowsNothing(StoredFilter filter) {
		assertThat(filter.lookup(PRESENT).join()).isEqualTo(Membership.UNKNOWN);
		assertThat(filter.lookup("absent").join()).isEqualTo(Membership.UNKNOWN);
		assertThat(filter.lookup(List.of("absent", PRESENT)).join()).containsExactly(Membership.UNKNOWN,
				Membership.UNKNOWN);
		assertThat(filter.isIntact().join()).isFalse();
	}

	protected final void assertIsGone(StoredFilter filter) {
		assertIsGone(filter, List.of(PRESENT));
	}

	protected final void assertIsGone(StoredFilter filter, List<String> elements) {
		CompletableFuture<Void> added = filter.add(elements);
		assertThatExceptionOfType(CompletionException.class).isThrownBy(added::join)
			.withCauseInstanceOf(FilterGoneException.class);
	}

	private static boolean isSealed(StoredFilter filter) {
		return filter.seal().exceptionally((failure) -> false).join();
	}

	/**
	 * What is tried with each damage.
	 */
	private interface DamageTest {

		void run(GenerationId id, Consumer<GenerationId> damage);

	}

}
