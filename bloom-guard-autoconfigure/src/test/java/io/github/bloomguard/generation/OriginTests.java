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

import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.Membership;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.TestRedis;
import io.github.bloomguard.warmup.WarmUpProgress.Status;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceAccessMode;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.ResourceLockTarget;
import org.junit.jupiter.api.parallel.Resources;

import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for filters that are told apart by where their keys come from.
 */
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock(value = Resources.SYSTEM_OUT, mode = ResourceAccessMode.READ, target = ResourceLockTarget.CHILDREN)
class OriginTests {

	private static final String RECHECK = "bloom-guard.filters.products.warm-up.recheck-empty=";

	@AutoClose
	private final TestRedis redis = TestRedis.start().reset();

	@Test
	void filterOfAnotherSourceIsNotAskedAfterARestart() {
		try (GuardApplication application = GuardApplication.start(this.redis, new Rows("select name", 1000, 1100))) {
			application.awaitReady();
			assertThat(application.guard().membership("products", 1)).isEqualTo(Membership.ABSENT);
		}
		Rows corrected = new Rows("select id", 1, 100);
		try (GuardApplication application = GuardApplication.start(this.redis, corrected)) {
			Awaitility.await().until(() -> {
				assertThat(application.guard().membership("products", 1)).isNotEqualTo(Membership.ABSENT);
				return application.products().filter().state() == FilterState.READY;
			});
			assertThat(application.guard().membership("products", 1)).isEqualTo(Membership.MAYBE);
			assertThat(application.guard().membership("products", 1050)).isEqualTo(Membership.ABSENT);
		}
	}

	@Test
	void instancesBeforeAndAfterADeploymentEachHaveTheirFilterAndEachOthersKeys() {
		try (GuardApplication before = GuardApplication.start(this.redis, new Rows("select a", 1, 100)).awaitReady();
				GuardApplication after = GuardApplication.start(this.redis, new Rows("select b", 50, 150))
					.awaitReady()) {
			assertThat(before.guard().membership("products", 1)).isEqualTo(Membership.MAYBE);
			assertThat(before.guard().membership("products", 150)).isEqualTo(Membership.ABSENT);
			assertThat(after.guard().membership("products", 1)).isEqualTo(Membership.ABSENT);
			assertThat(after.guard().membership("products", 150)).isEqualTo(Membership.MAYBE);
			before.guard().add("products", 200);
			after.guard().add("products", 300);
			for (GuardApplication application : new GuardApplication[] { before, after }) {
				assertThat(application.guard().membership("products", 200)).isEqualTo(Membership.MAYBE);
				assertThat(application.guard().membership("products", 300)).isEqualTo(Membership.MAYBE);
			}
		}
	}

	@Test
	void applicationsThatCallAFilterTheSameEachHaveTheirOwn() {
		try (GuardApplication shop = GuardApplication
			.start(this.redis, new Keys("products", 100), "spring.application.name=shop")
			.awaitReady();
				GuardApplication stock = GuardApplication
					.start(this.redis, new Keys("products", 200), "spring.application.name=stock")
					.awaitReady()) {
			assertThat(stock.guard().membership("products", 200)).isEqualTo(Membership.MAYBE);
			assertThat(shop.guard().membership("products", 200)).isEqualTo(Membership.ABSENT);
		}
	}

	@Test
	void applicationsShareAFilterIfTheySaySo() {
		Keys others = new Keys("products", 100);
		try (GuardApplication shop = GuardApplication
			.start(this.redis, new Keys("products", 100), "spring.application.name=shop",
					"bloom-guard.application=both")
			.awaitReady();
				GuardApplication stock = GuardApplication
					.start(this.redis, others, "spring.application.name=stock", "bloom-guard.application=both")
					.awaitReady()) {
			assertThat(others.reads()).isZero();
			assertThat(stock.products().filter().active().id()).isEqualTo(shop.products().filter().active().id());
		}
	}

	@Test
	void databaseThatIsFilledAfterTheFirstStartIsReadAgain() {
		Keys keys = new Keys("products", 0);
		try (GuardApplication application = GuardApplication.start(this.redis, keys, RECHECK + "2s")) {
			Awaitility.await().until(() -> keys.reads() == 1);
			keys.setLast(100);
			Awaitility.await().until(() -> {
				assertThat(application.guard().membership("products", 1)).isNotEqualTo(Membership.ABSENT);
				return application.products().filter().state() == FilterState.READY;
			});
			assertThat(keys.reads()).isEqualTo(2);
			assertThat(application.guard().membership("products", 1)).isEqualTo(Membership.MAYBE);
		}
	}

	@Test
	void emptyDatabaseIsBelievedWhenAKeyWasAdded() {
		Keys keys = new Keys("products", 0);
		try (GuardApplication application = GuardApplication.start(this.redis, keys, RECHECK + "1h")) {
			Awaitility.await().until(() -> keys.reads() == 1);
			assertThat(application.products().filter().state()).isEqualTo(FilterState.LOADING);
			application.guard().add("products", 1);
			application.awaitReady();
			assertThat(application.guard().membership("products", 1)).isEqualTo(Membership.MAYBE);
			assertThat(application.guard().membership("products", 2)).isEqualTo(Membership.ABSENT);
		}
	}

	@Test
	@ExtendWith(OutputCaptureExtension.class)
	@ResourceLock(Resources.SYSTEM_OUT)
	void databaseThatStaysEmptyIsBelievedWithAWarning(CapturedOutput output) {
		try (GuardApplication application = GuardApplication.start(this.redis, new Keys("products", 0),
				RECHECK + "100ms")) {
			application.awaitReady();
			assertThat(application.guard().membership("products", 1)).isEqualTo(Membership.ABSENT);
			assertThat(output.getAll()
				.lines()
				.filter((line) -> line.contains(" WARN ") && line.contains("gave not a single key"))).hasSize(2);
			Awaitility.await().until(() -> application.products().warmUp().progress().status() == Status.COMPLETED);
		}
	}

	/**
	 * Some rows, and the query that reads them.
	 */
	static final class Rows implements KeySource {

		private final String query;

		private final long first;

		private final long last;

		Rows(String query, long first, long last) {
			this.query = query;
			this.first = first;
			this.last = last;
		}

		@Override
		public String filter() {
			return "products";
		}

		@Override
		public Stream<?> keys() {
			return LongStream.rangeClosed(this.first, this.last).boxed();
		}

		@Override
		public String fingerprint() {
			return this.query;
		}

	}

}
