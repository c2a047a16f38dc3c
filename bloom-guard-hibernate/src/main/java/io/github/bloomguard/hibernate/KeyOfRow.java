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
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.entity.EntityRows;
import io.github.bloomguard.filter.KeyFormat;

import org.hibernate.bytecode.enhance.spi.LazyPropertyInitializer;
import org.hibernate.metamodel.mapping.AttributeMapping;
import org.hibernate.metamodel.mapping.EmbeddableValuedModelPart;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.type.BasicType;
import org.hibernate.type.CompositeType;
import org.hibernate.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * Where the key of a row is in what Hibernate writes.
 *
 * @param index the index of the attribute, {@value #ID} for the id
 * @param path the names of the attributes that lead to the key inside of it, if it is
 * embedded
 */
record KeyOfRow(String filter, int index, List<String> path) {

	static final int ID = -1;

	static KeyOfRow of(EntityKeys keys, EntityPersister entity) {
		String attribute = keys.attribute();
		if (attribute == null || attribute.equals(entity.getIdentifierPropertyName())) {
			return id(keys.filter());
		}
		return all(keys.filter(), entity).filter((key) -> key.name(entity).equals(attribute))
			.findFirst()
			.orElseThrow(() -> keys.unknownAttribute(HibernateEntities.attributes(keys, entity)));
	}

	private static KeyOfRow id(String filter) {
		return new KeyOfRow(filter, ID, List.of());
	}

	/**
	 * Return the id and all attributes of an entity, those inside of others after these.
	 */
	static Stream<KeyOfRow> all(String filter, EntityPersister entity) {
		return Stream.concat(Stream.of(id(filter)),
				IntStream.range(0, entity.getPropertyNames().length)
					.mapToObj((index) -> new KeyOfRow(filter, index, List.of()))
					.flatMap((key) -> key.withParts(key.type(entity))));
	}

	private Stream<KeyOfRow> withParts(Type type) {
		return (type instanceof CompositeType composite) ? Stream
			.concat(Stream.of(this), IntStream.range(0, composite.getPropertyNames().length)
				.boxed()
				.flatMap((part) -> part(composite.getPropertyNames()[part]).withParts(composite.getSubtypes()[part])))
				: Stream.of(this);
	}

	private KeyOfRow part(String name) {
		List<String> longer = new ArrayList<>(this.path);
		longer.add(name);
		return new KeyOfRow(this.filter, this.index, longer);
	}

	/**
	 * Find the key in the rows that an entity writes: the one of the filter, one of its
	 * subclasses, or another one that is mapped to the same table.
	 */
	static Optional<KeyOfRow> inRowsOf(EntityKeys keys, EntityPersister written) {
		return keys.include(written.getMappedClass()) ? Optional.of(of(keys, written)) : SharedTable.key(keys, written);
	}

	boolean isId() {
		return this.index == ID;
	}

	/**
	 * Return the path of the attribute in queries, which the id need not have.
	 */
	String name(EntityPersister entity) {
		String root = isId() ? "" : entity.getPropertyNames()[this.index];
		return this.path.isEmpty() ? root : root + "." + String.join(".", this.path);
	}

	Type type(EntityPersister entity) {
		Type type = isId() ? entity.getIdentifierType() : entity.getPropertyTypes()[this.index];
		for (String name : this.path) {
			CompositeType composite = (CompositeType) type;
			type = composite.getSubtypes()[Arrays.asList(composite.getPropertyNames()).indexOf(name)];
		}
		return type;
	}

	EntityRows rows(EntityKeys keys, EntityPersister entity, KeyFormat format) {
		return KeyColumns.of(entity, this)
			.rows(keys, !(type(entity) instanceof BasicType<?>), new PlainColumns(format));
	}

	@Nullable Object key(EntityPersister entity, Object id, @Nullable Object[] state) {
		return isId() ? id : key(entity, state);
	}

	private @Nullable Object key(EntityPersister entity, @Nullable Object[] state) {
		Object key = state[this.index];
		AttributeMapping attribute = entity.getAttributeMapping(this.index);
		for (String name : this.path) {
			if (key == null || key == LazyPropertyInitializer.UNFETCHED_PROPERTY) {
				return null;
			}
			attribute = ((EmbeddableValuedModelPart) attribute).getEmbeddableTypeDescriptor()
				.findAttributeMapping(name);
			key = attribute.getValue(key);
		}
		return (key != LazyPropertyInitializer.UNFETCHED_PROPERTY) ? key : null;
	}

	boolean hasChanged(EntityPersister entity, @Nullable Object @Nullable [] before, @Nullable Object[] after) {
		return !isId() && (before == null || !Objects.deepEquals(key(entity, before), key(entity, after)));
	}

}
