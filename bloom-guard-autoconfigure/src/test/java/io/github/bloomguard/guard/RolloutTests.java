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

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.Membership;
import io.github.bloomguard.call.Decision;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for rows that older instances insert while a filter is rolled out.
 */
@Tag("slow")
@Execution(ExecutionMode.CONCURRENT)
class RolloutTests {

	private static final String LONG = "bloom-guard.filters.products.rebuild.settle=1h";

	private static final String SHORT = "bloom-guard.filters.products.rebuild.settle=1s";

	@AutoClose
	private final TestRedis redis = TestRedis.start().reset();

	private final Table table = new Table();

	@Test
	void rowsOfInstancesOfBeforeAreFoundDuringTheRolloutAndAfterIt() {
		try (GuardApplication application = GuardApplication
			.start(this.redis, this.table, "bloom-guard.filters.products.rebuild.settle=3s")
			.awaitLoaded()) {
			GuardedFilter filter = application.filter("products");
			this.table.rows.add(5000L);
			assertThat(filter.check(5000).await().answered()).isFalse();
			assertThat(filter.check(-1).await()).isEqualTo(Decision.LET_THROUGH);
			assertThat(application.products().filter().stateChange()).satisfies((change) -> {
				assertThat(change.state()).isEqualTo(FilterState.SETTLING);
				assertThat(change.reason()).contains("rebuild.settle");
			});
			application.awaitReady();
			assertThat(filter.check(5000).await().membership()).isEqualTo(Membership.MAYBE);
			assertThat(filter.check(-1).await()).isEqualTo(Decision.ABSENT);
			assertThat(this.table.scans).hasValue(2);
			assertThat(application.products().filter().standing().settlesAt()).isNull();
		}
	}

	@Test
	void rowsThatTheVersionAfterInsertsAreFoundAfterARollback() {
		GuardApplication.start(this.redis, this.table, SHORT).awaitReady().close();
		try (GuardApplication next = GuardApplication.start(this.redis, new NextTable(), SHORT).awaitLoaded()) {
			next.guard().add("products", "sku-5000");
			this.table.rows.add(5000L);
		}
		try (GuardApplication back = GuardApplication.start(this.redis, this.table, SHORT)) {
			awaitNeverAbsent(back, 5000);
			assertThat(back.awaitReady().filter("products").check(-1).await()).isEqualTo(Decision.ABSENT);
		}
	}

	@Test
	void neitherOfTwoVersionsThatRunBesideEachOtherCallsRowsOfTheOtherAbsent() {
		NextTable nextTable = new NextTable();
		try (GuardApplication one = GuardApplication.start(this.redis, this.table, SHORT).awaitReady()) {
			try (GuardApplication two = GuardApplication.start(this.redis, nextTable, SHORT)) {
				two.guard().add("products", "sku-5000");
				this.table.rows.add(5000L);
				long begun = two.products().filter().record().now();
				two.awaitLoaded();
				assertThat(one.guard().membership("products", 5000)).isNotEqualTo(Membership.ABSENT);
				one.guard().add("products", 6000);
				nextTable.rows.add(6000L);
				Awaitility.await().pollInterval(Duration.ofMillis(20)).until(() -> {
					assertThat(one.guard().membership("products", 5000)).isNotEqualTo(Membership.ABSENT);
					assertThat(two.guard().membership("products", "sku-6000")).isNotEqualTo(Membership.ABSENT);
					return one.products().filter().record().now() - begun > 7000;
				});
				for (GuardApplication application : List.of(one, two)) {
					assertThat(application.products().filter().stateChange()).satisfies((change) -> {
						assertThat(change.state()).isEqualTo(FilterState.SETTLING);
						assertThat(change.reason()).contains("another version", "rebuild.settle", "different names");
					});
				}
				// and once more where a busy machine has stalled a load
				assertThat(nextTable.scans).as("nobody loads while both are there").hasValueBetween(1, 2);
			}
			int scans = this.table.scans.get();
			assertThat(scans).as("nobody loads while both are there").isBetween(2, 3);
			awaitNeverAbsent(one, 5000);
			assertThat(one.awaitReady().filter("products").check(-1).await()).isEqualTo(Decision.ABSENT);
			assertThat(this.table.scans).hasValueGreaterThan(scans);
		}
	}

	private static void awaitNeverAbsent(GuardApplication application, long id) {
		Awaitility.await().pollInterval(Duration.ofMillis(1)).until(() -> {
			Membership answer = application.guard().membership("products", id);
			assertThat(answer).isNotEqualTo(Membership.ABSENT);
			return answer == Membership.MAYBE;
		});
	}

	/**
	 * A table that others insert rows into.
	 */
	static class Table implements KeySource {

		final Set<Long> rows = new ConcurrentSkipListSet<>(LongStream.rangeClosed(1, 100).boxed().toList());

		final AtomicInteger scans = new AtomicInteger();

		volatile String database = "shop";

		volatile CountDownLatch reachable = new CountDownLatch(0);

		@Override
		public String filter() {
			return "products";
		}

		@Override
		public Stream<?> keys() {
			this.scans.incrementAndGet();
			return this.rows.stream();
		}

		@Override
		public String database() {
			try {
				this.reachable.await();
			}
			catch (InterruptedException ex) {
				throw new IllegalStateException(ex);
			}
			return this.database;
		}

	}

	/**
	 * Gives the keys of another version.
	 */
	static final class NextTable extends Table {

		@Override
		public Stream<?> keys() {
			this.scans.incrementAndGet();
			return this.rows.stream().map((row) -> "sku-" + row);
		}

	}

}
