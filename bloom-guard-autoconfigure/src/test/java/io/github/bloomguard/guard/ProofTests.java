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

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.github.bloomguard.FilterMode;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.Membership;
import io.github.bloomguard.Verdict;
import io.github.bloomguard.call.Candidates;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.ModeSwitch;
import io.github.bloomguard.generation.Proof;
import io.github.bloomguard.logging.LogFields;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.LogLines;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for what a filter has to show before it is believed.
 */
@Tag("slow")
class ProofTests {

	private static final String PROOF = "bloom-guard.filters.products.verification.required-calls=20";

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	@BeforeEach
	void flush() {
		redis.reset();
	}

	@Test
	void keysInAnotherFormAreFoundOutBeforeAnybodyIsToldAnythingWrong() {
		try (GuardApplication application = GuardApplication.start(redis, new Names(), PROOF).awaitLoaded();
				LogLines lines = LogLines.ofTheGuard()) {
			GuardedFilter filter = application.filter("products");
			LongStream.rangeClosed(1, 100).forEach((id) -> {
				Verdict verdict = filter.check(id).await();
				assertThat(verdict.answered()).as("row " + id).isFalse();
				filter.loaded(id, verdict, false);
			});
			application.awaitState(FilterState.REFUTED);
			assertThat(filter.check(1).await()).isEqualTo(Verdict.UNKNOWN);
			assertThat(filter.membership(1)).isEqualTo(Membership.UNKNOWN);
			assertThat(application.products().statistics().unacknowledgedFalseNegatives())
				.as("nobody was told anything wrong")
				.isZero();
			assertThat(lines.events()).filteredOn(ILoggingEvent::getLevel, Level.ERROR)
				.singleElement()
				.satisfies((event) -> assertThat(event.getFormattedMessage())
					.contains("'products'", "like an integer", "like \"aaaa aa 9\"")
					.doesNotContain("name of"))
				.extracting(ILoggingEvent::getMDCPropertyMap)
				.isEqualTo(Map.of(LogFields.FILTER, "products"));
		}
		try (GuardApplication restarted = GuardApplication.start(redis, new Names(), PROOF)) {
			restarted.awaitState(FilterState.REFUTED);
		}
		try (GuardApplication mended = GuardApplication.start(redis, new Keys("products", 100), PROOF)) {
			mended.awaitLoaded();
			assertThat(mended.guard().membership("products", 1)).isEqualTo(Membership.MAYBE);
		}
	}

	@Test
	void filterThatWasProvenIsBelievedAsSoonAsItIsLoadedAgainAfterAFlush() {
		try (GuardApplication application = GuardApplication.start(redis, new Keys("products", 100), PROOF)
			.awaitLoaded()) {
			GuardedFilter filter = application.filter("products");
			prove(filter, 20, 2);
			application.awaitReady();
			String former = application.products().filter().active().id();
			redis.command("FLUSHALL");
			Awaitility.await()
				.until(() -> filter.check(-1).await().equals(Verdict.ABSENT)
						&& !application.products().filter().active().id().equals(former));
			try (GuardApplication late = GuardApplication.start(redis, new Keys("products", 100), PROOF)) {
				late.awaitReady();
			}
		}
	}

	@Test
	void filterOfADatabaseInMemoryAnswersTheFourthCallForAnAbsentRowThatSomebodyMakesByHand() {
		try (GuardApplication application = GuardApplication
			.start(redis, List.of(), "spring.datasource.url=jdbc:h2:mem:proof",
					"bloom-guard.filters.products.warm-up.query=select x from system_range(1, 100)",
					"bloom-guard.filters.products.verification.required-calls=100",
					"bloom-guard.filters.products.rebuild.settle=10m")
			.awaitState(FilterState.PROVING)) {
			GuardedFilter filter = application.filter("products");
			assertThat(application.products().filter().stateChange().reason()).contains("0 of 3 different keys");
			prove(filter, 3, 1);
			application.awaitReady();
			assertThat(filter.check(-4).await()).isEqualTo(Verdict.ABSENT);
		}
	}

	@Test
	void filterTellsWhenItWillAnswer() {
		try (GuardApplication application = GuardApplication
			.start(redis, new Keys("products", 100), PROOF, "bloom-guard.filters.products.rebuild.settle=10m")
			.awaitState(FilterState.SETTLING)) {
			assertThat(application.products().filter().stateChange().reason()).matches("it is loaded, and answers from"
					+ " \\d\\d:\\d\\d:\\d\\d on \\(in 10 min: .*rebuild\\.settle\\), when 20 absent keys were"
					+ " asked for, and then 2 existing ones; until then calls go through");
			prove(application.filter("products"), 20, 2);
			Proof proof = Awaitility.await()
				.until(() -> application.products().filter().standing().trust().proof(),
						(found) -> found.absent() == 20);
			assertThat(proof.found()).as("may have been added because they were found").isZero();
			application.products().filter().switchTo(new ModeSwitch(FilterMode.SHADOW, Instant.now(), null)).join();
			application.awaitState(FilterState.SHADOW);
			assertThat(application.products().filter().stateChange().reason())
				.startsWith("it answers nothing in this mode; with enforce: it is loaded, and answers from");
		}
	}

	private static void prove(GuardedFilter filter, int absent, int found) {
		LongStream.rangeClosed(1, absent).forEach((id) -> filter.loaded(-id, filter.check(-id).await(), true));
		LongStream.rangeClosed(1, found).forEach((id) -> filter.loaded(id, filter.check(id).await(), false));
	}

	@Test
	void filterThatIsWrongBeforeItIsProvenIsLoadedAgainAndProvesItselfAnew() {
		Keys keys = new Keys("products", 100);
		try (GuardApplication application = GuardApplication.start(redis, keys, PROOF).awaitLoaded()) {
			GuardedFilter filter = application.filter("products");
			Generation first = application.products().filter().active();
			filter.loaded(-3, filter.check(-3).await(), true);
			filter.loaded(-1, filter.check(-1).await(), false);
			Awaitility.await().until(() -> !first.equals(application.products().filter().active()));
			application.awaitState(FilterState.PROVING);
			assertThat(application.products().filter().standing().trust().proof().absent()).isZero();
			assertThat(application.products().filter().stateChange().reason()).contains("1 key was found");
			assertThat(filter.check(-2).await()).isEqualTo(Verdict.SHADOWED);
		}
	}

	@Test
	void filterIsBelievedWhenNothingWasFoundForEnoughKeysOnceForAllRebuildsAndRestarts() {
		Keys keys = new Keys("products", 100);
		try (GuardApplication application = GuardApplication.start(redis, keys, PROOF).awaitLoaded()) {
			GuardedFilter filter = application.filter("products");
			LongStream.rangeClosed(1, 20).forEach((id) -> {
				Verdict verdict = filter.check(-id).await();
				assertThat(verdict.answered()).isFalse();
				filter.loaded(-id, verdict, true);
			});
			LongStream.rangeClosed(1, 2).forEach((id) -> filter.loaded(id, filter.check(id).await(), false));
			application.awaitReady();
			assertThat(filter.check(-1).await()).isEqualTo(Verdict.ABSENT);
			assertThat(filter.check(1).await().answered()).isFalse();
			application.guard().rebuild("products").join();
			assertThat(filter.check(-1).await()).isEqualTo(Verdict.ABSENT);
			assertThat(application.products().filter().standing().trust().proof().absent()).isEqualTo(20);
		}
		try (GuardApplication restarted = GuardApplication.start(redis, keys, PROOF).awaitReady()) {
			assertThat(restarted.filter("products").check(-1).await()).isEqualTo(Verdict.ABSENT);
		}
	}

	@Test
	void oneKeyProvesNothingHoweverOftenItIsLookedFor() {
		try (GuardApplication application = GuardApplication.start(redis, new Names(), PROOF).awaitLoaded()) {
			GuardedFilter filter = application.filter("products");
			for (int i = 0; i < 100; i++) {
				filter.loaded(-1, filter.check(-1).await(), true);
			}
			refreshTwice(application);
			assertThat(LongStream.rangeClosed(1, 100).filter((id) -> filter.check(id).await().answered())).isEmpty();
		}
	}

	@Test
	void filterThatWasNeverRightIsNotBelieved() {
		try (GuardApplication application = GuardApplication.start(redis, new Names(), PROOF).awaitLoaded()) {
			GuardedFilter filter = application.filter("products");
			LongStream.rangeClosed(1, 1000).forEach((id) -> filter.loaded(-id, filter.check(-id).await(), true));
			refreshTwice(application);
			assertThat(LongStream.rangeClosed(1, 100).filter((id) -> filter.check(id).await().answered())).isEmpty();
		}
	}

	@Test
	void emptyCopyOfATableIsNotBelievedForTheFirstRowsThatAreAdded() {
		Keys none = new Keys("products", 0);
		try (GuardApplication application = GuardApplication
			.start(redis, none, "bloom-guard.filters.products.verification.required-calls=100")
			.awaitLoaded()) {
			GuardedFilter filter = application.filter("products");
			application.guard().add("products", 1001, 1002);
			LongStream.rangeClosed(1001, 1002).forEach((id) -> filter.loaded(id, filter.check(id).await(), false));
			LongStream.rangeClosed(1, 100).forEach((id) -> filter.loaded(-id, filter.check(-id).await(), true));
			refreshTwice(application);
			assertThat(filter.check(1).await().answered()).isFalse();
		}
	}

	@Test
	void filterOfFewKeysIsBelievedWhenAllOfThemWereFound() {
		try (GuardApplication application = GuardApplication
			.start(redis, new Keys("products", 3), "bloom-guard.filters.products.verification.required-calls=100")
			.awaitLoaded()) {
			GuardedFilter filter = application.filter("products");
			LongStream.rangeClosed(1, 100).forEach((id) -> filter.loaded(-id, filter.check(-id).await(), true));
			LongStream.rangeClosed(1, 2).forEach((id) -> filter.loaded(id, filter.check(id).await(), false));
			refreshTwice(application);
			assertThat(filter.check(-1).await().answered()).isFalse();
			filter.loaded(3L, filter.check(3).await(), false);
			application.awaitReady();
			assertThat(filter.check(-1).await()).isEqualTo(Verdict.ABSENT);
		}
	}

	@Test
	void filterThatIsNotBelievedIsNotReadyAndTellsWhatItLacks() {
		try (GuardApplication application = GuardApplication.start(redis, new Keys("products", 100), PROOF)
			.awaitLoaded()) {
			GuardedFilter filter = application.filter("products");
			assertThat(application.products().filter().state()).isEqualTo(FilterState.PROVING);
			LongStream.rangeClosed(1, 7).forEach((id) -> filter.loaded(-id, filter.check(-id).await(), true));
			filter.loaded(1, filter.check(1).await(), false);
			refreshTwice(application);
			assertThat(application.products().filter().stateChange()).satisfies((change) -> {
				assertThat(change.state()).isEqualTo(FilterState.PROVING);
				assertThat(change.reason()).contains("7 of 20", "1 of 2");
			});
		}
	}

	private static void refreshTwice(GuardApplication application) {
		application.products().filter().refresh().join();
		application.products().filter().refresh().join();
	}

	@Test
	void manyKeysOfOneCallProveAsManyCallsDo() {
		try (GuardApplication application = GuardApplication.start(redis, new Keys("products", 100), PROOF)
			.awaitLoaded()) {
			GuardedFilter filter = application.filter("products");
			List<Long> keys = LongStream.rangeClosed(-20, 1).boxed().toList();
			Candidates candidates = filter.possible(keys).await();
			assertThat(candidates.positions().cardinality()).isEqualTo(22);
			assertThat(candidates.absent().cardinality()).isEqualTo(21);
			filter.loaded(keys, candidates, true);
			List.of(List.of(1L, 2L), List.of(2L, 3L))
				.forEach((existing) -> filter.loaded(existing, filter.possible(existing).await(), false));
			application.awaitReady();
			assertThat(filter.possible(keys).await().positions().cardinality()).isOne();
		}
	}

	@Test
	void manyKeysThatAreAllAbsentAndGiveSomethingRefute() {
		try (GuardApplication application = GuardApplication.start(redis, new Names(), PROOF).awaitLoaded()) {
			GuardedFilter filter = application.filter("products");
			List<Long> keys = List.of(1L, 2L);
			filter.loaded(keys, filter.possible(keys).await(), false);
			application.awaitState(FilterState.REFUTED);
		}
	}

	@Test
	void questionsWithoutALoaderAreAnsweredAtOnce() {
		try (GuardApplication application = GuardApplication.start(redis, new Keys("products", 100), PROOF)
			.awaitLoaded()) {
			assertThat(application.guard().membership("products", -1)).isEqualTo(Membership.ABSENT);
			assertThat(application.guard().mightContain("products", -1)).isFalse();
		}
	}

	@Test
	void keyThatWasAddedMeanwhileRefutesNothing() {
		try (GuardApplication application = GuardApplication.start(redis, new Keys("products", 100), PROOF)
			.awaitLoaded()) {
			GuardedFilter filter = application.filter("products");
			Verdict before = filter.check(-1).await();
			application.guard().add("products", -1);
			filter.loaded(-1, before, false);
			LongStream.rangeClosed(2, 21).forEach((id) -> filter.loaded(-id, filter.check(-id).await(), true));
			LongStream.rangeClosed(1, 2).forEach((id) -> filter.loaded(id, filter.check(id).await(), false));
			application.awaitReady();
		}
	}

	/**
	 * Gives the names of rows that are asked for by their numbers.
	 */
	static final class Names implements KeySource {

		@Override
		public String filter() {
			return "products";
		}

		@Override
		public Stream<?> keys() {
			return LongStream.rangeClosed(1, 100).mapToObj((id) -> "name of " + id);
		}

	}

}
