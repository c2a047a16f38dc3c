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

package io.github.bloomguard.datajdbc;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

import io.github.bloomguard.call.WrittenFilters;
import io.github.bloomguard.entity.EntityKeys;

import org.springframework.context.ApplicationListener;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.event.AfterDeleteEvent;

/**
 * Removes the key of each aggregate that Spring Data JDBC deletes, after the commit, if
 * the row is gone. Only ids are removed: another property may have the same value in
 * another row.
 */
final class JdbcRemoves implements ApplicationListener<AfterDeleteEvent<?>> {

	private final Supplier<? extends Collection<EntityKeys>> keys;

	private final Supplier<RelationalMappingContext> mapping;

	private final WrittenFilters filters;

	private final Map<Class<?>, List<String>> filtersOf = new ConcurrentHashMap<>();

	/**
	 * Create a listener, which asks for the others only when something is deleted.
	 */
	JdbcRemoves(Supplier<? extends Collection<EntityKeys>> keys, Supplier<RelationalMappingContext> mapping,
			WrittenFilters filters) {
		this.keys = keys;
		this.mapping = mapping;
		this.filters = filters;
	}

	@Override
	public void onApplicationEvent(AfterDeleteEvent<?> event) {
		for (String filter : this.filtersOf.computeIfAbsent(event.getType(), this::filters)) {
			this.filters.written(filter).removalIfGone().remove(List.of(event.getId().getValue()));
		}
	}

	private List<String> filters(Class<?> type) {
		return this.keys.get()
			.stream()
			.filter((keys) -> keys.include(type)
					&& KeyProperty.of(keys, this.mapping.get().getRequiredPersistentEntity(type)).isId())
			.map(EntityKeys::filter)
			.toList();
	}

}
