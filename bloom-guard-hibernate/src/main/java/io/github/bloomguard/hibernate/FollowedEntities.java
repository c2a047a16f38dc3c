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

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;

import io.github.bloomguard.entity.EntityKeys;

import jakarta.persistence.EntityManagerFactory;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/**
 * The entities of Hibernate whose rows have keys, in all persistence units. Thread-safe.
 */
final class FollowedEntities {

	private final Supplier<? extends Collection<EntityKeys>> configured;

	private final Set<SessionFactoryImplementor> units = ConcurrentHashMap.newKeySet();

	private final Map<String, List<KeyOfRow>> keys = new ConcurrentHashMap<>();

	FollowedEntities(Supplier<? extends Collection<EntityKeys>> configured) {
		this.configured = configured;
	}

	void follow(EntityManagerFactory factory, Consumer<SessionFactoryImplementor> listening) {
		Collection<EntityKeys> configured = this.configured.get();
		if (!configured.isEmpty()) {
			HibernateEntities.sessionFactory(factory)
				.filter(this.units::add)
				.filter((unit) -> follow(unit, configured))
				.ifPresent(listening);
		}
	}

	private boolean follow(SessionFactoryImplementor unit, Collection<EntityKeys> configured) {
		AtomicBoolean followed = new AtomicBoolean();
		unit.getMappingMetamodel().forEachEntityDescriptor((entity) -> {
			List<KeyOfRow> rows = configured.stream()
				.map((each) -> KeyOfRow.inRowsOf(each, entity))
				.flatMap(Optional::stream)
				.toList();
			if (!rows.isEmpty()) {
				this.keys.put(entity.getEntityName(), rows);
				followed.set(true);
			}
		});
		return followed.get();
	}

	boolean isFollowed(SessionFactoryImplementor unit) {
		return this.units.contains(unit);
	}

	List<KeyOfRow> keys(String entity) {
		return this.keys.getOrDefault(entity, List.of());
	}

}
