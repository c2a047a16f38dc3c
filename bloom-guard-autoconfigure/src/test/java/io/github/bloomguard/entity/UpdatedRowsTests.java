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
package io.github.bloomguard.entity;

import java.time.Duration;
import java.util.List;

import io.github.bloomguard.Verdict;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.entity.Archive.Draft;
import io.github.bloomguard.entity.Archive.Memo;
import io.github.bloomguard.entity.Warehouse.Bin;
import io.github.bloomguard.entity.Warehouse.Bins;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import jakarta.persistence.EntityManagerFactory;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for rows that a guarded method does not find before an update, and finds after
 * it.
 */
class UpdatedRowsTests {

	@Test
	void whatWasNotFoundBeforeAnUpdateIsLookedForAfterIt() {
		try (TestRedis redis = Archive.redis();
				GuardApplication application = Shop
					.awaitReady(Archive.start(redis, TestPostgres.create(), List.of()))) {
			EntityManagerFactory unit = application.bean(EntityManagerFactory.class);
			unit.runInTransaction((entities) -> {
				entities.persist(new Memo(1));
				entities.persist(new Memo(2));
				entities.persist(new Memo(3));
			});
			EntityRemovalTests.forgetWhatWasAdded(redis, application);
			GuardedFilter memos = application.filter("memos").scopedTo("findActive");
			remember(memos, 1);
			Verdict before = memos.check(2);
			unit.runInTransaction((entities) -> {
				entities.find(Memo.class, 1).thrownAway = true;
				entities.find(Memo.class, 2).thrownAway = true;
			});
			memos.loaded(2, before, true);
			assertThat(memos.check(1)).isNotEqualTo(Verdict.REMEMBERED);
			remember(memos, 3);
			assertThat(memos.check(2)).as("what was loaded before the commit").isNotEqualTo(Verdict.REMEMBERED);
			unit.runInTransaction((entities) -> entities.persist(new Draft(3, "draft")));
			EntityRemovalTests.forgetWhatWasAdded(redis, application);
			GuardedFilter articles = application.filter("articles").scopedTo("findPublished");
			remember(articles, 3);
			unit.runInTransaction((entities) -> entities.find(Draft.class, 3L).heading = "published");
			assertThat(articles.check(3)).isNotEqualTo(Verdict.REMEMBERED);
		}
	}

	@Test
	void updateCostsNothingWhereNothingIsRemembered() {
		try (TestRedis redis = Archive.redis();
				GuardApplication application = Shop.awaitReady(Archive.start(redis, TestPostgres.create(), List.of(),
						"bloom-guard.filters.memos.empty-ttl=0s"))) {
			EntityManagerFactory unit = application.bean(EntityManagerFactory.class);
			unit.runInTransaction((entities) -> entities.persist(new Memo(1)));
			String added = redis.command("XLEN", "bloom-guard:{memos}:journal");
			unit.runInTransaction((entities) -> entities.find(Memo.class, 1).thrownAway = true);
			assertThat(redis.command("XLEN", "bloom-guard:{memos}:journal")).isEqualTo(added);
			application.filter("memos").withEmptyTtl(Duration.ofMinutes(1));
			unit.runInTransaction((entities) -> entities.find(Memo.class, 1).thrownAway = false);
			assertThat(redis.command("XLEN", "bloom-guard:{memos}:journal")).isNotEqualTo(added);
		}
	}

	@Test
	void whatWasNotFoundBeforeASaveIsLookedForAfterIt() {
		try (TestRedis redis = Archive.redis();
				GuardApplication application = Shop
					.awaitReady(Warehouse.start(redis, TestPostgres.create(Warehouse.SCHEMA)))) {
			Bins bins = application.bean(Bins.class);
			Bin bin = bins.save(new Bin(null, "inactive"));
			Bin other = bins.save(new Bin(null, "other"));
			EntityRemovalTests.forgetWhatWasAdded(redis, application);
			GuardedFilter products = application.filter("products").scopedTo("findActive");
			remember(products, bin.id());
			Verdict before = products.check(bin.id());
			bins.save(new Bin(bin.id(), "active"));
			products.loaded(bin.id(), before, true);
			remember(products, other.id());
			assertThat(products.check(bin.id())).isNotEqualTo(Verdict.REMEMBERED);
		}
	}

	private static void remember(GuardedFilter filter, Object key) {
		Awaitility.await().until(() -> {
			Verdict verdict = filter.check(key);
			filter.loaded(key, verdict, true);
			return verdict == Verdict.REMEMBERED;
		});
	}

}
