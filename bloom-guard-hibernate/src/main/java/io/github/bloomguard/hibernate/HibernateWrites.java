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

package io.github.bloomguard.hibernate;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

import io.github.bloomguard.call.WrittenFilters;
import io.github.bloomguard.entity.ConfiguredRows;
import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.logging.UntoldKeys;
import jakarta.persistence.EntityManagerFactory;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.event.service.spi.EventListenerGroup;
import org.hibernate.event.service.spi.EventListenerRegistry;
import org.hibernate.event.spi.EventType;
import org.hibernate.event.spi.MergeContext;
import org.hibernate.event.spi.MergeEvent;
import org.hibernate.event.spi.MergeEventListener;
import org.hibernate.event.spi.PersistContext;
import org.hibernate.event.spi.PersistEvent;
import org.hibernate.event.spi.PersistEventListener;
import org.hibernate.event.spi.PostDeleteEvent;
import org.hibernate.event.spi.PostDeleteEventListener;
import org.hibernate.event.spi.PostInsertEvent;
import org.hibernate.event.spi.PostInsertEventListener;
import org.hibernate.event.spi.PostUpdateEvent;
import org.hibernate.event.spi.PostUpdateEventListener;
import org.hibernate.event.spi.PostUpsertEvent;
import org.hibernate.event.spi.PostUpsertEventListener;
import org.hibernate.event.spi.PreInsertEvent;
import org.hibernate.event.spi.PreInsertEventListener;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.proxy.HibernateProxy;
import org.hibernate.proxy.LazyInitializer;
import org.jspecify.annotations.Nullable;

/**
 * Adds the keys of rows that Hibernate inserts or updates, before each commit, and
 * removes those of rows that it deletes, after it; without a known commit, nothing is
 * removed.
 */
public final class HibernateWrites implements PreInsertEventListener, PostInsertEventListener, PostUpsertEventListener,
		PostUpdateEventListener, PostDeleteEventListener, PersistEventListener, MergeEventListener {

	private static final long serialVersionUID = 1L;

	private final transient FollowedEntities entities;

	private final transient UntoldKeys untold = new UntoldKeys(HibernateWrites.class);

	private final transient SessionTransactions<InsertedKeys> inserting;

	private final transient SessionTransactions<DeletedKeys> deleting;

	private final transient WrittenFilters filters;

	private final transient Map<SessionFactoryImplementor, Integer> gaps = new HashMap<>();

	public HibernateWrites(Supplier<ConfiguredRows> rows, Supplier<KeyFormat> format, WrittenFilters filters) {
		this.entities = new FollowedEntities(rows, format);
		this.inserting = new SessionTransactions<>(() -> new InsertedKeys(filters));
		this.deleting = new SessionTransactions<>(() -> DeletedKeys.begin(filters));
		this.filters = filters;
	}

	/**
	 * Follow the rows that a persistence unit writes from now on. Does nothing if it is
	 * called again or no filter has an entity.
	 */
	public void listenTo(EntityManagerFactory factory) {
		this.entities.follow(factory, this::listen);
	}

	/**
	 * Return how often a persistence unit was found to insert rows without telling. From
	 * then on it tells.
	 */
	synchronized int gaps(SessionFactoryImplementor unit) {
		boolean followed = this.entities.isFollowed(unit);
		if (!followed) {
			listenTo(unit);
		}
		if (!followed || listen(unit)) {
			this.gaps.merge(unit, 1, Integer::sum);
		}
		return this.gaps.getOrDefault(unit, 0);
	}

	/**
	 * Append what is missing: an application may have replaced the listeners.
	 * @return whether new rows may have been missed
	 */
	private boolean listen(SessionFactoryImplementor unit) {
		EventListenerRegistry registry = unit.getEventEngine().getListenerRegistry();
		append(registry, EventType.POST_DELETE);
		return append(registry, EventType.PRE_INSERT) | append(registry, EventType.POST_INSERT)
				| append(registry, EventType.POST_UPSERT) | append(registry, EventType.POST_UPDATE)
				| append(registry, EventType.PERSIST) | append(registry, EventType.MERGE);
	}

	private <T> boolean append(EventListenerRegistry registry, EventType<T> type) {
		EventListenerGroup<T> group = registry.getEventListenerGroup(type);
		List<T> listening = new ArrayList<>();
		group.fireEventOnEachListener(listening, (listener, all) -> all.add(listener));
		if (listening.contains(this)) {
			return false;
		}
		group.appendListener(type.baseListenerInterface().cast(this));
		return true;
	}

	/**
	 * Send known ids before the insert, so that Redis works while the database does.
	 */
	@Override
	public boolean onPreInsert(PreInsertEvent event) {
		SharedSessionContractImplementor session = HibernateVersion.CURRENT.session(event);
		if (event.getId() != null && session != null && SessionTransactions.isInTransaction(session)) {
			for (KeyOfRow row : keys(event.getPersister())) {
				if (row.isId()) {
					this.inserting.of(session).inserting(row.filter(), event.getId());
				}
			}
		}
		return false;
	}

	@Override
	public void onPostInsert(PostInsertEvent event) {
		inserted(event.getPersister(), event.getId(), event.getState(), HibernateVersion.CURRENT.session(event));
	}

	@Override
	public void onPostUpsert(PostUpsertEvent event) {
		inserted(event.getPersister(), event.getId(), event.getState(), HibernateVersion.CURRENT.session(event));
	}

	private void inserted(EntityPersister entity, Object id, Object[] state,
			@Nullable SharedSessionContractImplementor session) {
		for (KeyOfRow row : keys(entity)) {
			add(session, row.filter(), row.key(entity, id, state));
		}
		mistrustUntold(entity, session);
	}

	/**
	 * Mistrust the filters whose keys can't be read from the rows of another mapping, so
	 * that they are rebuilt.
	 */
	private void mistrustUntold(EntityPersister entity, @Nullable SharedSessionContractImplementor session) {
		if (session != null) {
			this.entities.of(entity).untold().forEach((keys) -> mistrust(keys, entity, session));
		}
	}

	private void mistrust(EntityKeys keys, EntityPersister entity, SharedSessionContractImplementor session) {
		String reason = "each row of the entity " + entity.getEntityName() + " may be one of " + keys.entity() + " in "
				+ entity.getMappedTableDetails().getTableName();
		this.untold.warn(keys.filter(), reason, "insert them as that entity, or let changes be followed");
		if (SessionTransactions.isInTransaction(session)) {
			this.inserting.of(session).mistrust(keys.filter(), reason);
		}
		else {
			this.filters.written(keys.filter()).mistrust(reason);
		}
	}

	/**
	 * Also without a new key: what was not found may be found from now on.
	 */
	@Override
	public void onPostUpdate(PostUpdateEvent event) {
		for (KeyOfRow row : keys(event.getPersister())) {
			if (row.hasChanged(event.getPersister(), event.getOldState(), event.getState())
					|| this.filters.written(row.filter()).remembersAbsence()) {
				add(HibernateVersion.CURRENT.session(event), row.filter(),
						row.key(event.getPersister(), event.getId(), event.getState()));
			}
		}
		mistrustUntold(event.getPersister(), HibernateVersion.CURRENT.session(event));
	}

	@Override
	public void onPostDelete(PostDeleteEvent event) {
		SharedSessionContractImplementor session = HibernateVersion.CURRENT.session(event);
		if (session != null && SessionTransactions.isInTransaction(session)) {
			for (KeyOfRow row : keys(event.getPersister())) {
				if (row.isId()) {
					this.deleting.of(session).add(row.filter(), event.getId());
				}
			}
		}
	}

	@Override
	public void onPersist(PersistEvent event) {
		expect(event.getSession(), event.getEntityName(), event.getObject(), true);
	}

	@Override
	public void onPersist(PersistEvent event, PersistContext cascades) {
		onPersist(event);
	}

	@Override
	public void onMerge(MergeEvent event) {
		expect(event.getSession(), event.getEntityName(), event.getEntity(), false);
	}

	@Override
	public void onMerge(MergeEvent event, MergeContext cascades) {
		onMerge(event);
	}

	@Override
	public boolean requiresPostCommitHandling(EntityPersister persister) {
		return false;
	}

	private Collection<KeyOfRow> keys(EntityPersister entity) {
		return this.entities.of(entity).told().values();
	}

	/**
	 * Note a filter whose rows the transaction will insert, and send ids that are known
	 * before the flush where there are many. If a row is not inserted after all, its key
	 * is one more false positive.
	 * @param managed whether the entity itself will be the row, and not a copy of it
	 */
	private void expect(SharedSessionContractImplementor session, @Nullable String name, @Nullable Object object,
			boolean managed) {
		Object entity = initialized(object);
		if (entity == null || !SessionTransactions.isInTransaction(session)) {
			return;
		}
		EntityPersister persister = session.getEntityPersister(name, entity);
		Collection<KeyOfRow> rows = keys(persister);
		if (rows.isEmpty()) {
			return;
		}
		InsertedKeys inserted = this.inserting.of(session);
		Object id = (managed && !persister.isIdentifierAssignedByInsert()) ? session.getContextEntityIdentifier(entity)
				: null;
		for (KeyOfRow row : rows) {
			if (id != null && row.isId()) {
				inserted.announce(row.filter(), id);
			}
			else {
				inserted.expect(row.filter());
			}
		}
	}

	/**
	 * Return the entity, {@code null} for an unloaded proxy, which inserts nothing.
	 */
	private static @Nullable Object initialized(@Nullable Object object) {
		LazyInitializer proxy = HibernateProxy.extractLazyInitializer(object);
		if (proxy == null) {
			return object;
		}
		return proxy.isUninitialized() ? null : proxy.getImplementation();
	}

	private void add(@Nullable SharedSessionContractImplementor session, String filter, @Nullable Object key) {
		if (key == null) {
			return;
		}
		if (session != null && SessionTransactions.isInTransaction(session)) {
			this.inserting.of(session).add(filter, key);
		}
		else {
			this.filters.written(filter).add(List.of(key));
		}
	}

}
