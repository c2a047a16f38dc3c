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

import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.Membership;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.GuardedFilter;
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
class ProvenApplicationTests {

	private static final String PROOF = "bloom-guard.filters.products.verification.required-calls=20";

	@AutoClose
	private static final TestRedis redis = TestRedis.start();

	@BeforeEach
	void flush() {
		redis.reset();
	}

	@Test
	void keysInAnotherFormAreFoundOutBeforeAnybodyIsToldAnythingWrong() {
		try (GuardApplication application = GuardApplication.start(redis, new Names(1), PROOF).awaitLoaded();
				LogLines lines = LogLines.ofTheGuard()) {
			GuardedFilter filter = application.filter("products");
			LongStream.rangeClosed(1, 100).forEach((id) -> {
				Decision verdict = filter.check(id).await();
				assertThat(verdict.answered()).as("row " + id).isFalse();
				filter.loaded(id, verdict, false, false);
			});
			application.awaitState(FilterState.REFUTED);
			assertThat(filter.check(1).await()).isEqualTo(Decision.UNKNOWN);
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
		try (GuardApplication restarted = GuardApplication.start(redis, new Names(0), PROOF)) {
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
				.until(() -> filter.check(-1).await().equals(Decision.ABSENT)
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
			assertThat(filter.check(-4).await()).isEqualTo(Decision.ABSENT);
		}
	}

	private static void prove(GuardedFilter filter, int absent, int found) {
		LongStream.rangeClosed(1, absent).forEach((id) -> filter.loaded(-id, filter.check(-id).await(), true, false));
		LongStream.rangeClosed(1, found).forEach((id) -> filter.loaded(id, filter.check(id).await(), false, false));
	}

	private static void refute(GuardApplication application) {
		GuardedFilter filter = application.filter("products");
		filter.loaded(-1, filter.check(-1).await(), false, false);
		application.awaitState(FilterState.REFUTED);
	}

	private static void refreshTwice(GuardApplication application) {
		application.products().filter().refresh().join();
		application.products().filter().refresh().join();
	}

	/**
	 * Gives the names of rows that are asked for by their numbers. They are read so many
	 * times and no more: while they are read again, a refuted filter stays refuted,
	 * however slow the test is.
	 */
	static final class Names implements KeySource {

		private final CountDownLatch closed = new CountDownLatch(1);

		private final AtomicInteger left;

		Names(int scans) {
			this.left = new AtomicInteger(scans);
		}

		@Override
		public String filter() {
			return "products";
		}

		@Override
		public Stream<?> keys() {
			if (this.left.getAndDecrement() <= 0) {
				awaitEnd();
			}
			return LongStream.rangeClosed(1, 100).mapToObj((id) -> "name of " + id);
		}

		private void awaitEnd() {
			try {
				this.closed.await();
			}
			catch (InterruptedException ex) {
				Thread.currentThread().interrupt();
			}
		}

		@Override
		public void cancel() {
			this.closed.countDown();
		}

	}

}
