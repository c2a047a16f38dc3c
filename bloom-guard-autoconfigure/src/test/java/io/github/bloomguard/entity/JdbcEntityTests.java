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

import java.util.List;
import java.util.Optional;
import java.util.Set;

import io.github.bloomguard.KeyNotAddedException;
import io.github.bloomguard.Membership;
import io.github.bloomguard.entity.Warehouse.Bin;
import io.github.bloomguard.entity.Warehouse.Bins;
import io.github.bloomguard.entity.Warehouse.Crate;
import io.github.bloomguard.entity.Warehouse.Item;
import io.github.bloomguard.entity.Warehouse.LabelledBin;
import io.github.bloomguard.entity.Warehouse.Pallet;
import io.github.bloomguard.entity.Warehouse.Pallets;
import io.github.bloomguard.entity.Warehouse.Slot;
import io.github.bloomguard.entity.Warehouse.SlotId;
import io.github.bloomguard.statistics.FilterStatistics.Outcome;
import io.github.bloomguard.testsupport.GuardApplication;
import io.github.bloomguard.testsupport.TestPostgres;
import io.github.bloomguard.testsupport.TestRedis;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import org.springframework.dao.DuplicateKeyException;
import org.springframework.data.jdbc.core.JdbcAggregateTemplate;
import org.springframework.data.jdbc.core.convert.DataAccessStrategy;
import org.springframework.data.jdbc.core.convert.JdbcConverter;
import org.springframework.data.jdbc.repository.support.JdbcRepositoryFactory;
import org.springframework.data.mapping.callback.EntityCallbacks;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatException;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

/**
 * Tests for filters of aggregates of Spring Data JDBC, and for guarded repositories of
 * it.
 */
class JdbcEntityTests {

	@AutoClose
	private static final TestRedis redis = Warehouse.redis();

	private static final TestPostgres postgres = TestPostgres.create(Warehouse.SCHEMA);

	@AutoClose
	private static GuardApplication application;

	private static Bins bins;

	@BeforeAll
	static void startApplication() {
		postgres.execute("insert into bin (bin_id, label) select -i, 'old ' || i from generate_series(1, 3000) i",
				"insert into slot values (1, 'left', 'nails'), (2, 'right', 'screws')");
		application = Warehouse.start(redis, postgres, "bloom-guard.filters.products.warm-up.partitions=3");
		Shop.awaitReady(application);
		bins = application.bean(Bins.class);
	}

	@Test
	void rowsAreLoadedFromTheMapping() {
		for (int id = 1; id <= 3000; id++) {
			assertKnown("products", -id);
		}
		assertKnown("labels", "old 7");
		assertKnown("slots", new SlotId(1, "left"));
		assertKnown("slots", List.of(2, "right"));
		assertThat(application.guard().membership("slots", new SlotId(1, "right"))).isEqualTo(Membership.ABSENT);
	}

	@Test
	void rowsThatAreSavedAreKnown() {
		Bin bin = bins.save(new Bin(null, "new"));
		assertKnown("products", bin.id());
		assertKnown("labels", "new");
		bins.saveAll(List.of(new Bin(null, "first"), new Bin(bin.id(), "second")));
		assertKnown("labels", "first");
		assertKnown("labels", "second");
		application.bean(JdbcAggregateTemplate.class).insert(new Slot(new SlotId(3, "top"), "bolts"));
		assertKnown("slots", new SlotId(3, "top"));
	}

	@Test
	void rowsThatAnotherAggregateOfTheTableSavesAreKnown() {
		LabelledBin bin = application.bean(JdbcAggregateTemplate.class).insert(new LabelledBin(null, "labelled"));
		assertKnown("products", bin.number());
		assertKnown("labels", "labelled");
	}

	@Test
	void rowsThatATemplateMadeByHandWritesAreKnown() {
		JdbcAggregateTemplate template = new JdbcAggregateTemplate(application.bean(JdbcConverter.class),
				application.bean(DataAccessStrategy.class));
		Bin inserted = template.insert(new Bin(null, "by hand"));
		assertKnown("products", inserted.id());
		assertKnown("labels", "by hand");
		template.update(new Bin(inserted.id(), "by hand again"));
		assertKnown("labels", "by hand again");
		template.insertAll(List.of(new Bin(null, "hand one"), new Bin(null, "hand two")))
			.forEach((bin) -> assertKnown("products", bin.id()));
		template.insert(new Slot(new SlotId(4, "low"), "screws"));
		assertKnown("slots", new SlotId(4, "low"));
	}

	@Test
	void rowsWithinAnAggregateAreKnown() {
		Crate crate = application.bean(JdbcAggregateTemplate.class).insert(new Crate(null, Set.of(new Item(null))));
		crate.items().forEach((item) -> assertKnown("items", item.id()));
		assertThat(application.guard().membership("items", 4711)).isEqualTo(Membership.ABSENT);
	}

	@Test
	void rowsOfARepositoryWithCallbacksOfItsOwnAreKnown() {
		JdbcAggregateTemplate template = new JdbcAggregateTemplate(application.bean(JdbcConverter.class),
				application.bean(DataAccessStrategy.class));
		template.setEntityCallbacks(EntityCallbacks.create());
		Bins made = new JdbcRepositoryFactory(template).getRepository(Bins.class);
		assertKnown("products", made.save(new Bin(null, "made")).id());
		assertKnown("labels", "made");
	}

	@Test
	void keyIsAddedOnceForEachRowOfATransaction() {
		long before = added();
		new TransactionTemplate(application.bean(PlatformTransactionManager.class))
			.executeWithoutResult((status) -> bins.saveAll(List.of(new Bin(null, "once"), new Bin(null, "too"))));
		assertThat(added() - before).isEqualTo(2);
	}

	private static long added() {
		return application.products().statistics().count(Outcome.ADDED);
	}

	@Test
	void guardedRepositoryFindsWhatThereIsAndIsNotAskedForAnythingElse() {
		Bin one = bins.save(new Bin(null, "guarded"));
		assertThat(bins.findById(one.id())).contains(one);
		assertThat(bins.findByLabel("guarded")).containsExactly(one);
		assertThat(bins.findAllById(List.of(one.id(), -1L, 4711L))).extracting(Bin::id)
			.containsExactlyInAnyOrder(one.id(), -1L);
		postgres.execute("insert into bin (bin_id, label) values (-4000, 'unseen')");
		assertThat(bins.findById(-4000L)).isEmpty();
		assertThat(bins.findByLabel("unseen")).isEmpty();
		assertThat(bins.findAllById(List.of(-4000L))).isEmpty();
	}

	@Test
	void annotatedMethodsOfARepositoryAddWhatTheySave() {
		Pallets pallets = application.bean(Pallets.class);
		TransactionTemplate transactions = new TransactionTemplate(application.bean(PlatformTransactionManager.class));
		Pallet saved = transactions.execute((status) -> pallets.save(new Pallet(null, "one")));
		List<Pallet> more = transactions.execute((status) -> pallets.saveAll(List.of(new Pallet(null, "two"))));
		assertThat(pallets.findById(saved.id())).contains(saved);
		assertThat(pallets.findById(more.get(0).id())).contains(more.get(0));
		assertThat(pallets.findById(4711L)).isEqualTo(Optional.empty());
	}

	@Test
	void saveWhoseKeyCantBeAddedFails() {
		try (TestRedis frozen = TestRedis.start();
				GuardApplication impatient = Warehouse.start(frozen, postgres, "bloom-guard.add-timeout=200ms")) {
			frozen.freeze();
			assertThatException().isThrownBy(() -> impatient.bean(Bins.class).save(new Bin(null, "lost")));
			Slot slot = new Slot(new SlotId(5, "low"), "nails");
			assertThatExceptionOfType(DuplicateKeyException.class).as("a batch that fails for another reason")
				.isThrownBy(() -> impatient.bean(JdbcAggregateTemplate.class).insertAll(List.of(slot, slot)))
				.satisfies((failure) -> assertThat(failure.getSuppressed()).singleElement()
					.isInstanceOf(KeyNotAddedException.class));
			frozen.thaw();
		}
		assertThat(postgres.template().queryForList("select * from bin where label = 'lost'")).isEmpty();
	}

	private static void assertKnown(String filter, Object key) {
		assertThat(application.guard().membership(filter, key)).isEqualTo(Membership.MAYBE);
	}

}
