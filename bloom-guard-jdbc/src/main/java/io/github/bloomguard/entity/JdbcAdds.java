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
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.bloomguard.call.GuardedFilters;

import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.event.AfterSaveCallback;
import org.springframework.util.ClassUtils;

/**
 * Adds the key of each aggregate that Spring Data JDBC inserts or updates.
 */
public final class JdbcAdds implements AfterSaveCallback<Object> {

	private final Supplier<? extends Collection<EntityKeys>> keys;

	private final Supplier<RelationalMappingContext> mapping;

	private final GuardedFilters filters;

	private final Map<Class<?>, List<Saved>> saved = new ConcurrentHashMap<>();

	public JdbcAdds(Supplier<? extends Collection<EntityKeys>> keys, Supplier<RelationalMappingContext> mapping,
			GuardedFilters filters) {
		this.keys = keys;
		this.mapping = mapping;
		this.filters = filters;
	}

	@Override
	public Object onAfterSave(Object aggregate) {
		for (Saved saved : this.saved.computeIfAbsent(ClassUtils.getUserClass(aggregate), this::saved)) {
			Object key = saved.property().key(aggregate);
			if (key != null || saved.property().isId()) {
				this.filters.get(saved.filter()).add(Collections.singletonList(key));
			}
		}
		return aggregate;
	}

	private List<Saved> saved(Class<?> type) {
		List<Saved> saved = new ArrayList<>();
		for (EntityKeys keys : this.keys.get()) {
			key(keys, type).ifPresent((property) -> saved.add(new Saved(keys.filter(), property)));
		}
		return saved;
	}

	private Optional<KeyProperty> key(EntityKeys keys, Class<?> type) {
		RelationalMappingContext mapping = this.mapping.get();
		RelationalPersistentEntity<?> saved = mapping.getRequiredPersistentEntity(type);
		if (keys.include(type)) {
			return Optional.of(KeyProperty.of(keys, saved));
		}
		if (!ClassUtils.isPresent(keys.entity(), type.getClassLoader())) {
			return Optional.empty();
		}
		RelationalPersistentEntity<?> entity = mapping
			.getPersistentEntity(ClassUtils.resolveClassName(keys.entity(), type.getClassLoader()));
		return (entity != null && entity.hasIdProperty()) ? KeyProperty.of(keys, entity).in(saved, mapping)
				: Optional.empty();
	}

	private record Saved(String filter, KeyProperty property) {
	}

}
