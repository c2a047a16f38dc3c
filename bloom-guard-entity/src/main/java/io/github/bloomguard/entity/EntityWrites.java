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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

import org.springframework.beans.factory.BeanCreationException;

/**
 * The keys in the rows that an entity writes, its own and those of others that are mapped
 * to its table.
 *
 * @param <T> an attribute of the entity
 * @param told by the names of their filters
 * @param untold those that are written in a form that is not known
 */
public record EntityWrites<T>(Map<String, T> told, List<EntityKeys> untold) {

	public EntityWrites() {
		this(new LinkedHashMap<>(), new ArrayList<>());
	}

	/**
	 * Return what an entity writes, which is found out when it does so first. As long as
	 * another mapping is being made, as during a start, it can't be asked.
	 * @param known what is known so far
	 */
	public static <E, T> EntityWrites<T> of(E entity, Map<E, EntityWrites<T>> known, Supplier<List<EntityKeys>> all,
			BiConsumer<EntityKeys, EntityWrites<T>> find) {
		EntityWrites<T> written = known.get(entity);
		if (written != null) {
			return written;
		}
		EntityWrites<T> found = new EntityWrites<>();
		boolean complete = true;
		for (EntityKeys keys : all.get()) {
			try {
				find.accept(keys, found);
			}
			catch (BeanCreationException ex) {
				complete = false;
			}
		}
		if (complete) {
			known.put(entity, found);
		}
		return found;
	}

	/**
	 * Add the keys of another entity.
	 * @param candidates the attributes that have their columns
	 */
	public void add(EntityKeys keys, List<T> candidates, Predicate<T> haveForm) {
		candidates.stream()
			.filter(haveForm)
			.findFirst()
			.ifPresentOrElse((attribute) -> this.told.put(keys.filter(), attribute), () -> {
				if (!candidates.isEmpty() || keys.attribute() == null) {
					this.untold.add(keys);
				}
			});
	}

}
