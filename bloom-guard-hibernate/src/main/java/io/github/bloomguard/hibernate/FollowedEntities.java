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

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.bloomguard.entity.ConfiguredRows;
import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.entity.EntityRows;
import io.github.bloomguard.entity.EntityWrites;
import io.github.bloomguard.filter.KeyFormat;

import jakarta.persistence.EntityManagerFactory;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.persister.entity.EntityPersister;

/**
 * The entities of Hibernate whose rows have keys, in all persistence units, also keys of
 * entities that another unit or another library maps to the same table. Thread-safe.
 */
final class FollowedEntities {

	private final Supplier<ConfiguredRows> rows;

	private final Supplier<KeyFormat> format;

	private final Set<SessionFactoryImplementor> units = ConcurrentHashMap.newKeySet();

	private final Map<EntityPersister, EntityWrites<KeyOfRow>> written = new ConcurrentHashMap<>();

	FollowedEntities(Supplier<ConfiguredRows> rows, Supplier<KeyFormat> format) {
		this.rows = rows;
		this.format = format;
	}

	void follow(EntityManagerFactory factory, Consumer<SessionFactoryImplementor> listening) {
		if (!this.rows.get().entities().isEmpty()) {
			HibernateEntities.sessionFactory(factory).filter(this.units::add).ifPresent(listening);
		}
	}

	boolean isFollowed(SessionFactoryImplementor unit) {
		return this.units.contains(unit);
	}

	EntityWrites<KeyOfRow> of(EntityPersister entity) {
		return EntityWrites.of(entity, this.written, () -> this.rows.get().entities(),
				(keys, written) -> find(keys, entity, written));
	}

	private void find(EntityKeys keys, EntityPersister entity, EntityWrites<KeyOfRow> written) {
		if (isMapped(keys, entity.getFactory())) {
			KeyOfRow.inRowsOf(keys, entity).ifPresent((key) -> written.told().put(keys.filter(), key));
		}
		else {
			this.rows.get()
				.of(keys)
				.filter((rows) -> SharedTable.names(entity).stream().anyMatch(rows::areIn))
				.forEach((rows) -> written.add(keys, SharedTable.keys(rows, entity),
						(key) -> rows.haveFormOf(key.rows(keys, entity, this.format.get()))));
		}
	}

	private static boolean isMapped(EntityKeys keys, SessionFactoryImplementor unit) {
		return unit.getMappingMetamodel().findEntityDescriptor(keys.entity()) != null;
	}

}
