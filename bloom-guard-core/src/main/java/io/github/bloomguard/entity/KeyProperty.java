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
import java.util.stream.StreamSupport;

import org.jspecify.annotations.Nullable;

import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;

/**
 * The property of an aggregate that is a key.
 *
 * @param entity the root of the aggregate
 * @param property its property
 */
record KeyProperty(RelationalPersistentEntity<?> entity, RelationalPersistentProperty property) {

	/**
	 * Find the key of an aggregate.
	 * @param keys which keys
	 * @param entity the root of the aggregate
	 */
	static KeyProperty of(EntityKeys keys, RelationalPersistentEntity<?> entity) {
		String attribute = keys.attribute();
		RelationalPersistentProperty property = (attribute != null) ? entity.getPersistentProperty(attribute)
				: entity.getIdProperty();
		if (property == null) {
			throw keys.invalid("which it does not have", "Name one of its attributes: " + attributes(entity)
					+ ", or remove the attribute if the key is the id");
		}
		if (!hasValue(property)) {
			throw keys.invalid("which has no value of its own that is written",
					"Name an attribute that has one, one of " + attributes(entity));
		}
		return new KeyProperty(entity, property);
	}

	private static List<String> attributes(RelationalPersistentEntity<?> entity) {
		return StreamSupport.stream(entity.spliterator(), false)
			.filter(KeyProperty::hasValue)
			.map(RelationalPersistentProperty::getName)
			.sorted()
			.toList();
	}

	private static boolean hasValue(RelationalPersistentProperty property) {
		return property.isWritable() && !property.isAssociation() && !property.isMap() && !property.isCollectionLike()
				&& (!property.isEntity() || property.isEmbedded());
	}

	boolean isId() {
		return this.property.isIdProperty();
	}

	/**
	 * Return the key of an aggregate.
	 */
	@Nullable Object key(Object aggregate) {
		return this.entity.getPropertyAccessor(aggregate).getProperty(this.property);
	}

}
