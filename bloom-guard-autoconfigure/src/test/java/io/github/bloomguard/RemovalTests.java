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

package io.github.bloomguard;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import io.github.bloomguard.annotation.BloomRemove;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.Keys;
import io.github.bloomguard.testsupport.RemovedKeys;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

/**
 * Tests for the removal of keys by instances that share a Redis.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class RemovalTests {

	@Test
	void removedKeyIsAbsentForAllMirrorsUntilItIsAddedAgain() {
		try (TestRedis redis = TestRedis.start();
				GuardApplication one = start(redis);
				GuardApplication other = start(redis)) {
			RemovedKeys.allow(redis, "products");
			one.guard().add("products", "a new record makes the first add wait");
			await(one, "absent", Membership.ABSENT);
			await(other, "absent", Membership.ABSENT);
			assertThat(other.guard().membership("products", 7)).isEqualTo(Membership.MAYBE);
			// nothing is removed while the time of the server is not known
			Awaitility.await().until(() -> {
				one.guard().remove("products", 7, null, 8L);
				return one.products()
					.filter()
					.lookupInMemory(one.products().filter().snapshot(), "7") == Membership.ABSENT;
			});
			await(other, 7, Membership.ABSENT);
			await(other, 8, Membership.ABSENT);
			assertThat(other.guard().mightContain("products", "7")).isFalse();
			assertThat(other.guard().membership("products", 9)).isEqualTo(Membership.MAYBE);
			other.guard().add("products", 7);
			assertThat(one.guard().membership("products", 7)).isEqualTo(Membership.MAYBE);
			assertThat(other.guard().membership("products", 7)).isEqualTo(Membership.MAYBE);
			one.guard().remove("products", 7);
			one.guard().remove("products", 10);
			await(other, 10, Membership.ABSENT);
			assertThat(other.guard().membership("products", 7)).as("added lately").isEqualTo(Membership.MAYBE);
		}
	}

	/**
	 * More keys than a page of the journal has.
	 */
	@Test
	void manyKeysThatTheSameInstanceRemovesAndAddsAgainAreFound() {
		try (TestRedis redis = TestRedis.start();
				GuardApplication one = GuardApplication.start(redis, new Keys("products", 100_000),
						"bloom-guard.filters.products.mirror.enabled=true")) {
			one.awaitReady();
			RemovedKeys.allow(redis, "products");
			await(one, "absent", Membership.ABSENT);
			for (int round = 0; round < 6; round++) {
				Object[] imported = keys(round * 1500, (round + 1) * 1500);
				List<String> forms = Stream.of(imported).map(Object::toString).toList();
				GenerationalFilter filter = one.products().filter();
				// until it is accepted, for which the time of the server has to be known
				Awaitility.await().until(() -> {
					filter.refresh().join();
					return filter.remove(forms, filter.serverTime(), Duration.ofSeconds(10)).join() == 1500;
				});
				one.guard().add("products", imported);
				for (int i = 0; i < 4; i++) {
					filter.refresh().join();
				}
				assertThat(filter.record().removed()).isEqualTo((round + 1) * 1500);
				assertThat(imported).noneMatch((key) -> one.guard().membership("products", key) == Membership.ABSENT);
			}
		}
	}

	@Test
	void keyIsRemovedAfterTheCommitAndNeverAfterARollback() {
		TestPostgres postgres = TestPostgres.create();
		try (TestRedis redis = TestRedis.start();
				GuardApplication one = GuardApplication.start(redis,
						List.of(new Keys("products", 1000), Products.class), postgres.and())) {
			one.awaitReady();
			RemovedKeys.allow(redis, "products");
			one.products().filter().refresh().join();
			Products products = one.bean(Products.class);
			TransactionTemplate transaction = new TransactionTemplate(one.bean(PlatformTransactionManager.class));
			transaction.executeWithoutResult((status) -> {
				products.delete(1);
				one.guard().remove("products", 2);
				status.setRollbackOnly();
			});
			assertThatIllegalStateException().isThrownBy(() -> products.fail(3));
			TransactionTemplate nested = new TransactionTemplate(one.bean(PlatformTransactionManager.class));
			nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
			transaction.executeWithoutResult((status) -> nested.executeWithoutResult((savepoint) -> {
				products.delete(4);
				savepoint.setRollbackOnly();
			}));
			transaction.executeWithoutResult((status) -> {
				products.delete(5);
				one.guard().remove("products", 6);
				assertThat(RemovedKeys.of(redis, "products")).isEmpty();
			});
			Awaitility.await().untilAsserted(() -> assertThat(RemovedKeys.of(redis, "products")).hasSize(2));
			products.deleteWithoutTransaction(List.of(7, 8));
			Awaitility.await()
				.untilAsserted(() -> assertThat(RemovedKeys.of(redis, "products")).containsExactlyInAnyOrder("5", "6",
						"7", "8"));
		}
	}

	/**
	 * As by a statement with a version that has changed, or if what it did was undone.
	 */
	@Test
	void keyOfARowThatIsStillThereIsNotRemovedOnTheWordOfACaller() {
		TestPostgres postgres = TestPostgres.create("create table product (id bigint primary key)",
				"insert into product select generate_series(1, 1000)");
		try (TestRedis redis = TestRedis.start();
				GuardApplication one = GuardApplication.start(redis, List.of(Products.class),
						postgres.and("bloom-guard.filters.products.mirror.enabled=true",
								"bloom-guard.filters.products.warm-up.query=select id from product"))) {
			one.awaitReady();
			RemovedKeys.allow(redis, "products");
			one.products().filter().refresh().join();
			Products products = one.bean(Products.class);
			products.delete(1);
			products.deleteWithoutTransaction(List.of(2, 3));
			one.guard().remove("products", 4);
			postgres.execute("delete from product where id = 5");
			products.delete(5);
			Awaitility.await().untilAsserted(() -> assertThat(RemovedKeys.of(redis, "products")).contains("5"));
			assertThat(RemovedKeys.of(redis, "products")).containsExactly("5");
			assertThat(List.of(1, 2, 3, 4))
				.allMatch((id) -> one.guard().membership("products", id) == Membership.MAYBE);
		}
	}

	@Test
	void filterIsRebuiltWhenATenthOfItsKeysIsGone() {
		try (TestRedis redis = TestRedis.start(); GuardApplication one = start(redis)) {
			one.awaitReady();
			RemovedKeys.allow(redis, "products");
			one.products().filter().refresh().join();
			String first = one.products().filter().active().id();
			one.guard().remove("products", keys(0, 90));
			Awaitility.await().until(() -> one.products().filter().record().removed() == 90);
			assertThat(one.products().filter().active().id()).isEqualTo(first);
			one.guard().remove("products", keys(90, 150));
			Awaitility.await()
				.until(() -> one.products().filter().active() != null
						&& !one.products().filter().active().id().equals(first));
			Awaitility.await().until(() -> one.products().filter().record().removed() == 0);
		}
	}

	@Test
	void nothingFailsWhileRedisIsGone() {
		try (TestRedis redis = TestRedis.start(); GuardApplication one = start(redis)) {
			one.awaitReady();
			redis.kill();
			one.guard().remove("products", 1);
		}
	}

	private static Object[] keys(int from, int to) {
		Object[] keys = new Object[to - from];
		for (int i = from; i < to; i++) {
			keys[i - from] = i;
		}
		return keys;
	}

	private static GuardApplication start(TestRedis redis) {
		return GuardApplication.start(redis, new Keys("products", 1000),
				"bloom-guard.filters.products.mirror.enabled=true");
	}

	private static void await(GuardApplication application, Object key, Membership answer) {
		Awaitility.await()
			.until(() -> application.products()
				.filter()
				.lookupInMemory(application.products().filter().snapshot(), key.toString()) == answer);
	}

	static class Products {

		@Transactional
		@BloomRemove("products")
		public void delete(int id) {
		}

		@BloomRemove("products")
		public void fail(int id) {
			throw new IllegalStateException("on purpose");
		}

		@BloomRemove(filter = "products", keys = "#p0")
		public void deleteWithoutTransaction(List<Integer> ids) {
		}

	}

}
