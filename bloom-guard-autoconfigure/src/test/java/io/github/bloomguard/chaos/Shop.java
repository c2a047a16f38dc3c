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

package io.github.bloomguard.chaos;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

import javax.sql.DataSource;

import io.github.bloomguard.BloomGuard;
import io.github.bloomguard.annotation.BloomAdd;
import io.github.bloomguard.annotation.BloomGuarded;
import io.github.bloomguard.annotation.BloomRemove;
import org.jspecify.annotations.Nullable;

import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.interceptor.TransactionAspectSupport;
import org.springframework.transaction.support.DefaultTransactionStatus;

/**
 * What the application under attack does: it reads and writes products.
 */
final class Shop {

	private Shop() {
	}

	/**
	 * Reads, without a cache, so that sentinels have something to do.
	 */
	static class Products {

		private final JdbcTemplate jdbc;

		Products(JdbcTemplate jdbc) {
			this.jdbc = jdbc;
		}

		@BloomGuarded("products")
		@Nullable Long find(Object key) {
			return this.jdbc.queryForList("select id from product where id = ?", Long.class, Shapes.id(key))
				.stream()
				.findFirst()
				.orElse(null);
		}

		@BloomGuarded(filter = "products", keys = "#keys")
		List<Long> findAll(Collection<Object> keys) {
			return this.jdbc.queryForList("select id from product where id = any (?)", Long.class,
					(Object) keys.stream().map(Shapes::id).toArray(Long[]::new));
		}

		/**
		 * Not guarded: what the database has.
		 */
		List<Long> latest(int count) {
			return this.jdbc.queryForList("select id from product order by id desc limit ?", Long.class, count);
		}

	}

	/**
	 * Writes.
	 */
	static class Catalogue {

		private final JdbcTemplate jdbc;

		private final BloomGuard guard;

		private final Ledger ledger;

		Catalogue(JdbcTemplate jdbc, BloomGuard guard, Ledger ledger) {
			this.jdbc = jdbc;
			this.guard = guard;
			this.ledger = ledger;
		}

		@Transactional
		@BloomAdd(filter = "products", key = "#result")
		Object create(long id) {
			insert(id);
			return Shapes.written(id);
		}

		@Transactional
		@BloomAdd(filter = "products", keys = "#result")
		List<Object> createAll(List<Long> ids) {
			ids.forEach(this::insert);
			return ids.stream().map(Shapes::written).toList();
		}

		/**
		 * The add is in the middle of the transaction.
		 */
		@Transactional
		void createSlowly(long id, long pauseMillis) {
			this.guard.add("products", Shapes.written(id));
			insert(id);
			LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(pauseMillis));
		}

		@Transactional
		@BloomAdd(filter = "products", key = "#result")
		Object createInVain(long id) {
			insert(id);
			TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
			return Shapes.written(id);
		}

		@Transactional
		void addInVain(long id) {
			this.guard.add("products", Shapes.written(id));
			insert(id);
			TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
		}

		/**
		 * Each of the two steps is a transaction of its own.
		 */
		void addAndCreate(long id) {
			this.guard.add("products", Shapes.written(id));
			this.ledger.commit(() -> insert(id));
		}

		/**
		 * Insert a row that may be there.
		 */
		@Transactional
		@BloomAdd(filter = "products", key = "#result")
		Object comeBack(long id, long version) {
			this.jdbc.update("insert into turnover (id, version) values (?, ?)", id, version);
			return Shapes.written(id);
		}

		/**
		 * Delete a row that may not be there.
		 * @param deleting is told which version is deleted, while nobody else can
		 * @return the version, if it was there
		 */
		@Transactional
		@BloomRemove(filter = "products", key = "T(io.github.bloomguard.chaos.Shapes).written(#p0)",
				condition = "#result != null and #p2")
		@Nullable Long goAway(long id, LongConsumer deleting, boolean annotated, boolean inVain) {
			List<Long> versions = this.jdbc.queryForList("select version from turnover where id = ? for update",
					Long.class, id);
			if (versions.isEmpty()) {
				return null;
			}
			deleting.accept(versions.get(0));
			this.jdbc.update("delete from turnover where id = ?", id);
			if (!annotated) {
				this.guard.remove("products", Shapes.written(id));
			}
			if (inVain) {
				TransactionAspectSupport.currentTransactionStatus().setRollbackOnly();
			}
			return versions.get(0);
		}

		@Transactional
		void clear(List<Long> ids, LongConsumer deleting) {
			this.jdbc
				.queryForList("select version from turnover where id = any (?) for update", Long.class,
						(Object) ids.toArray(Long[]::new))
				.forEach(deleting::accept);
			this.jdbc.update("delete from turnover where id = any (?)", (Object) ids.toArray(Long[]::new));
			this.guard.remove("products", ids.stream().map(Shapes::written).toArray());
		}

		@Transactional
		@BloomAdd(filter = "products", keys = "#result")
		List<Object> fill(List<Long> ids, long firstVersion) {
			this.jdbc.update(
					"insert into turnover (id, version) select id, ? + number - 1 from unnest(?) with ordinality as given (id, number)",
					firstVersion, ids.toArray(Long[]::new));
			return ids.stream().map(Shapes::written).toList();
		}

		private void insert(long id) {
			this.jdbc.update("insert into product (id) values (?)", id);
			this.ledger.inserted(id);
		}

	}

	/**
	 * Tells the ledger of a commit before what is registered for after the commit is run.
	 */
	static class LedgerTransactionManager extends JdbcTransactionManager {

		private static final long serialVersionUID = 1L;

		private final transient Ledger ledger;

		LedgerTransactionManager(DataSource dataSource, Ledger ledger) {
			super(dataSource);
			this.ledger = ledger;
		}

		@Override
		protected void doCommit(DefaultTransactionStatus status) {
			this.ledger.commit(() -> super.doCommit(status));
		}

		@Override
		protected void doRollback(DefaultTransactionStatus status) {
			super.doRollback(status);
			this.ledger.rolledBack();
		}

	}

}
