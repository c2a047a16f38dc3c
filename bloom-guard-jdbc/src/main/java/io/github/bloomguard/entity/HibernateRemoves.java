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

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;

import io.github.bloomguard.call.GuardedFilters;
import io.github.bloomguard.call.KeyRemoval;
import jakarta.persistence.EntityManagerFactory;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.PostDeleteEvent;
import org.hibernate.event.spi.PostDeleteEventListener;
import org.hibernate.persister.entity.EntityPersister;

import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Removes the keys of rows that Hibernate deletes: those of one transaction together,
 * after its commit, if they are gone; without a known commit, nothing is removed. Only
 * ids are removed: another attribute may have the same value in another row.
 */
public final class HibernateRemoves implements PostDeleteEventListener {

	private static final long serialVersionUID = 1L;

	private final transient FollowedEntities entities;

	private final transient SessionTransactions<DeletedKeys> transactions = new SessionTransactions<>(this::begin);

	private final transient GuardedFilters filters;

	/**
	 * Create a listener, which asks for {@code keys} with the first persistence unit.
	 */
	public HibernateRemoves(Supplier<? extends Collection<EntityKeys>> keys, GuardedFilters filters) {
		this.entities = new FollowedEntities(keys, KeyOfRow::inOwnRows);
		this.filters = filters;
	}

	public void listenTo(EntityManagerFactory factory) {
		this.entities.follow(factory,
				(unit) -> unit.getEventEngine().getListenerRegistry().appendListeners(EventType.POST_DELETE, this));
	}

	@Override
	public void onPostDelete(PostDeleteEvent event) {
		List<KeyOfRow> rows = this.entities.keys(event.getPersister().getEntityName());
		SharedSessionContractImplementor session = HibernateVersion.CURRENT.session(event);
		if (rows.isEmpty() || session == null || !SessionTransactions.isInTransaction(session)) {
			return;
		}
		for (KeyOfRow row : rows) {
			if (row.isId()) {
				this.transactions.of(session).add(row.filter(), event.getId());
			}
		}
	}

	@Override
	public boolean requiresPostCommitHandling(EntityPersister persister) {
		return false;
	}

	private DeletedKeys begin() {
		DeletedKeys deleted = new DeletedKeys();
		if (TransactionSynchronizationManager.isSynchronizationActive()) {
			TransactionSynchronizationManager.registerSynchronization(new OnSavepointRollback(deleted));
		}
		return deleted;
	}

	private final class DeletedKeys implements SessionTransactions.State {

		private final Map<String, KeyRemoval> removals = new LinkedHashMap<>();

		private final Map<String, List<Object>> keys = new LinkedHashMap<>();

		void add(String filter, Object key) {
			this.removals.computeIfAbsent(filter, (name) -> HibernateRemoves.this.filters.get(name).removalIfGone());
			this.keys.computeIfAbsent(filter, (name) -> new ArrayList<>()).add(key);
		}

		void forget() {
			this.keys.clear();
		}

		@Override
		public void afterCommit() {
			this.keys
				.forEach((filter, deleted) -> Objects.requireNonNull(this.removals.get(filter)).removeNow(deleted));
		}

	}

	/**
	 * Forgets all keys after a rollback to a savepoint: Hibernate does not see which rows
	 * come back.
	 */
	private record OnSavepointRollback(DeletedKeys deleted) implements TransactionSynchronization {

		@Override
		public void savepointRollback(Object savepoint) {
			this.deleted.forget();
		}

	}

}
