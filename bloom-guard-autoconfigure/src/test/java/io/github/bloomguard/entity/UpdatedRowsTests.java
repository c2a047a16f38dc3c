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

import io.github.bloomguard.call.Decision;
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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Tests for rows that a guarded method does not find before an update, and finds after
 * it.
 */
@Execution(ExecutionMode.CONCURRENT)
@Tag("slow")
class UpdatedRowsTests {

	private static final long MISSING = 999;

	@Test
	void rowThatIsThereIsNotRememberedAsMissingBeforeAnUpdateShowsIt() {
		try (TestRedis redis = Archive.redis();
				GuardApplication application = Shop
					.awaitReady(Archive.start(redis, TestPostgres.create(), List.of()))) {
			EntityManagerFactory unit = application.bean(EntityManagerFactory.class);
			unit.runInTransaction((entities) -> {
				entities.persist(new Memo(1));
				entities.persist(new Draft(3, "draft"));
			});
			application.written("memos").add(List.of(MISSING));
			application.written("articles").add(List.of(MISSING));
			EntityRemovalTests.forgetWhatWasAdded(redis, application);
			assertNotRemembered(application.filter("memos").scopedTo("findActive"), 1);
			assertNotRemembered(application.filter("articles").scopedTo("findPublished"), 3);
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
	void rowThatIsThereIsNotRememberedAsMissingBeforeASaveShowsIt() {
		try (TestRedis redis = Archive.redis();
				GuardApplication application = Shop
					.awaitReady(Warehouse.start(redis, TestPostgres.create(Warehouse.SCHEMA)))) {
			Bin bin = application.bean(Bins.class).save(new Bin(null, "inactive"));
			application.written("products").add(List.of(MISSING));
			EntityRemovalTests.forgetWhatWasAdded(redis, application);
			assertNotRemembered(application.filter("products").scopedTo("findActive"), bin.id());
		}
	}

	/**
	 * A method does not find a row that the source has. When it is asked again, a key
	 * that no row has is remembered.
	 */
	private static void assertNotRemembered(GuardedFilter filter, Object key) {
		filter.loaded(key, filter.check(key).await(), true, false);
		remember(filter, MISSING);
		for (int i = 0; i < 3; i++) {
			filter.loaded(key, filter.check(key).await(), true, false);
			remember(filter, MISSING);
		}
		assertThat(filter.check(key).await()).isNotEqualTo(Decision.REMEMBERED);
	}

	private static void remember(GuardedFilter filter, Object key) {
		Awaitility.await().until(() -> {
			Decision verdict = filter.check(key).await();
			filter.loaded(key, verdict, true, false);
			return verdict == Decision.REMEMBERED;
		});
	}

}
