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

import java.math.BigInteger;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import org.hibernate.metamodel.spi.MappingMetamodelImplementor;
import org.hibernate.persister.entity.EntityPersister;

import org.springframework.util.ClassUtils;

/**
 * The table of a filter's entity, in which rows of other entities are its rows, too.
 */
record SharedTable(EntityKeys keys, EntityPersister entity) {

	private static final Set<Class<?>> INTEGERS = Set.of(Long.class, Integer.class, Short.class, Byte.class,
			BigInteger.class);

	static Optional<SharedTable> of(EntityKeys keys, EntityPersister other) {
		EntityPersister entity = other.getFactory().getMappingMetamodel().findEntityDescriptor(keys.entity());
		if (entity == null) {
			return Optional.empty();
		}
		Set<String> tables = tables(entity);
		return Arrays.stream(other.getTableMappings()).anyMatch((table) -> tables.contains(table.getTableName()))
				? Optional.of(new SharedTable(keys, entity)) : Optional.empty();
	}

	/**
	 * Refuse an entity into whose tables rows come without known keys.
	 */
	static void check(EntityKeys keys, EntityPersister entity) {
		MappingMetamodelImplementor mapping = entity.getFactory().getMappingMetamodel();
		Set<String> tables = tables(entity);
		if (entity.getMappedTableDetails().getTableName().startsWith("(") && !entity.hasSubclasses()) {
			throw keys.invalid("whose rows are the result of a query, so nobody tells when there are new ones",
					"Remove the entity, and use warm-up.query, and @BloomAdd or catch-up.query");
		}
		mapping.forEachEntityDescriptor((other) -> KeyOfRow.inRowsOf(keys, other));
		mapping.forEachCollectionDescriptor((collection) -> {
			if (!collection.isOneToMany() && tables.contains(collection.getTableName())) {
				throw keys.invalid(
						"whose table is that of the collection " + collection.getRole()
								+ " too, which does not tell the keys of new rows",
						"Map the collection with an entity of its own, or remove the entity, and use warm-up.query and"
								+ " @BloomAdd");
			}
		});
	}

	private static Set<String> tables(EntityPersister entity) {
		MappingMetamodelImplementor mapping = entity.getFactory().getMappingMetamodel();
		return Stream.concat(Stream.of(entity.getEntityName()), entity.getSubclassEntityNames().stream())
			.map((name) -> mapping.getEntityDescriptor(name).getMappedTableDetails().getTableName())
			.collect(Collectors.toSet());
	}

	/**
	 * Find the key in the rows that another entity writes.
	 * @return empty if its rows have no key: the column stays empty
	 * @throws InvalidGuardException if they have one, but not the same
	 */
	Optional<KeyOfRow> key(EntityPersister other) {
		KeyOfRow key = KeyOfRow.of(this.keys, this.entity);
		KeyColumns columns = KeyColumns.of(this.entity, key.index());
		Optional<KeyOfRow> found = IntStream.range(KeyOfRow.ID, other.getPropertyNames().length)
			.filter((index) -> index == KeyOfRow.ID || other.getPropertyInsertability()[index])
			.filter((index) -> KeyColumns.of(other, index).names().equals(columns.names()))
			.mapToObj((index) -> new KeyOfRow(this.keys.filter(), index))
			.findFirst();
		if (found.isPresent()
				? !haveSameForm(key.type(this.entity).getReturnedClass(), found.get().type(other).getReturnedClass())
				: key.isId()) {
			throw this.keys.invalid(
					"to whose table the entity " + other.getEntityName()
							+ " is mapped too, which has these keys in another form or not at all",
					"Map " + columns + " in both entities as attributes of the same type, or remove the entity, and use"
							+ " warm-up.query and @BloomAdd");
		}
		return found;
	}

	private static boolean haveSameForm(Class<?> type, Class<?> other) {
		Class<?> boxed = ClassUtils.resolvePrimitiveIfNecessary(type);
		Class<?> otherBoxed = ClassUtils.resolvePrimitiveIfNecessary(other);
		return boxed == otherBoxed || (INTEGERS.contains(boxed) && INTEGERS.contains(otherBoxed));
	}

}
