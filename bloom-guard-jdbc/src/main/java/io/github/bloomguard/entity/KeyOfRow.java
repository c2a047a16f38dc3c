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

import java.util.Arrays;
import java.util.Objects;
import java.util.Optional;

import org.hibernate.bytecode.enhance.spi.LazyPropertyInitializer;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * Where the key of a row is in what Hibernate writes.
 *
 * @param index the index of the attribute, {@value #ID} for the id
 */
record KeyOfRow(String filter, int index) {

	static final int ID = -1;

	static KeyOfRow of(EntityKeys keys, EntityPersister entity) {
		String attribute = keys.attribute();
		if (attribute == null || attribute.equals(entity.getIdentifierPropertyName())) {
			return new KeyOfRow(keys.filter(), ID);
		}
		int index = Arrays.asList(entity.getPropertyNames()).indexOf(attribute);
		if (index < 0) {
			throw keys.invalid("which it does not have", "Name one of its attributes: "
					+ HibernateEntities.attributes(entity) + ", or remove the attribute if the key is the id");
		}
		return new KeyOfRow(keys.filter(), index);
	}

	/**
	 * Find the key in the rows that an entity writes: the one of the filter, one of its
	 * subclasses, or another one that is mapped to the same table.
	 */
	static Optional<KeyOfRow> inRowsOf(EntityKeys keys, EntityPersister written) {
		Optional<KeyOfRow> own = inOwnRows(keys, written);
		return own.isPresent() ? own : SharedTable.key(keys, written);
	}

	static Optional<KeyOfRow> inOwnRows(EntityKeys keys, EntityPersister written) {
		return keys.include(written.getMappedClass()) ? Optional.of(of(keys, written)) : Optional.empty();
	}

	boolean isId() {
		return this.index == ID;
	}

	Type type(EntityPersister entity) {
		return isId() ? entity.getIdentifierType() : entity.getPropertyTypes()[this.index];
	}

	@Nullable Object key(Object id, @Nullable Object[] state) {
		Object key = isId() ? id : state[this.index];
		return (key != LazyPropertyInitializer.UNFETCHED_PROPERTY) ? key : null;
	}

	boolean hasChanged(@Nullable Object @Nullable [] before, @Nullable Object[] after) {
		return !isId() && (before == null || !Objects.deepEquals(before[this.index], after[this.index]));
	}

}
