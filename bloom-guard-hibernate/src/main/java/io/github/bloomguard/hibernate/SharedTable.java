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

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.entity.EntityRows;
import io.github.bloomguard.jdbc.DatabaseTable;
import org.hibernate.HibernateException;
import org.hibernate.StatelessSession;
import org.hibernate.annotations.View;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.metamodel.mapping.EntityMappingType;
import org.hibernate.metamodel.mapping.PluralAttributeMapping;
import org.hibernate.metamodel.mapping.TableDetails.KeyColumn;
import org.hibernate.metamodel.spi.MappingMetamodelImplementor;
import org.hibernate.persister.collection.CollectionPersister;
import org.hibernate.persister.collection.mutation.CollectionMutationTarget;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.persister.entity.mutation.EntityTableMapping;

import org.springframework.util.ClassUtils;

/**
 * A table of a filter's entity, in which rows of other entities are its rows, too, or a
 * part of them.
 *
 * @param mapped whether it is the table to which the entity itself is mapped
 * @param columns the columns that have the key, empty if it is in another table
 */
record SharedTable(EntityKeys keys, String name, boolean mapped, List<String> columns) {

	private static final Set<Class<?>> INTEGERS = Set.of(Long.class, Integer.class, Short.class, Byte.class,
			BigInteger.class);

	/**
	 * Find the key in the rows that another entity writes to tables of the filter's.
	 * @return empty if it writes none, or if its rows have no key: the column stays empty
	 * @throws InvalidGuardException if they have one, but not the same
	 */
	static Optional<KeyOfRow> key(EntityKeys keys, EntityPersister other) {
		EntityPersister entity = other.getFactory().getMappingMetamodel().findEntityDescriptor(keys.entity());
		if (entity == null) {
			return Optional.empty();
		}
		boolean related = other.getRootEntityName().equals(entity.getRootEntityName());
		List<KeyOfRow> found = new ArrayList<>();
		for (SharedTable table : tables(keys, entity).filter((table) -> table.mapped() || !related).toList()) {
			for (EntityTableMapping written : HibernateVersion.CURRENT.tables(other)) {
				if (DatabaseTable.plainName(written.getTableName()).equals(DatabaseTable.plainName(table.name()))) {
					table.key(entity, other, written).ifPresent(found::add);
				}
			}
		}
		return found.stream().findFirst();
	}

	/**
	 * Find the attributes with which an entity writes the keys of rows that another
	 * mapping has.
	 */
	static List<KeyOfRow> keys(EntityRows rows, EntityPersister other) {
		return HibernateVersion.CURRENT.tables(other)
			.stream()
			.filter((written) -> rows.areIn(written.getTableName()))
			.flatMap((written) -> KeyOfRow.all(rows.keys().filter(), other)
				.filter((candidate) -> rows.areIn(columns(other, candidate, written))))
			.toList();
	}

	/**
	 * Refuse an entity into whose tables rows come without known keys.
	 */
	static void check(EntityKeys keys, EntityPersister entity) {
		MappingMetamodelImplementor mapping = entity.getFactory().getMappingMetamodel();
		if ((entity.getMappedTableDetails().getTableName().startsWith("(") && !entity.hasSubclasses())
				|| entity.getMappedClass().isAnnotationPresent(View.class)) {
			throw keys.invalid("whose rows are the result of a query, so no write tells of new ones",
					"Remove the entity, and use warm-up.query, and @BloomAdd or catch-up.query");
		}
		WrittenForms forms = new WrittenForms(keys);
		List<SharedTable> tables = tables(keys, entity).toList();
		mapping.forEachEntityDescriptor((other) -> KeyOfRow.inRowsOf(keys, other)
			.filter((key) -> tables.stream()
				.anyMatch((table) -> names(other).stream().anyMatch((name) -> table.isNamed(name, other.getFactory()))))
			.ifPresent((key) -> forms.check(other, key)));
		mapping.forEachCollectionDescriptor((collection) -> {
			if (tables.stream().anyMatch((table) -> table.isWrittenBy(collection))) {
				throw keys.invalidAsEntity(
						"whose table is that of the collection " + collection.getRole()
								+ " too, which does not tell the keys of new rows",
						"Map the collection with an entity of its own, or by the attribute (mappedBy)");
			}
		});
	}

	/**
	 * Return whether a collection inserts rows, or writes the key into those of its
	 * elements.
	 */
	private boolean isWrittenBy(CollectionPersister collection) {
		PluralAttributeMapping attribute = collection.getAttributeMapping();
		return isNamed(table(collection), collection.getFactory()) && (!collection.isOneToMany() || Stream
			.of(collection.isInverse() ? null : attribute.getKeyDescriptor().getKeyPart(),
					attribute.getIndexDescriptor())
			.filter(Objects::nonNull)
			.flatMap((part) -> KeyColumns.of(part).updated())
			.anyMatch(this.columns::contains));
	}

	/**
	 * Return the tables that have rows of a filter's entity.
	 */
	static List<String> names(EntityKeys keys, SessionFactoryImplementor unit) {
		return Stream.ofNullable(unit.getMappingMetamodel().findEntityDescriptor(keys.entity()))
			.flatMap(SharedTable::withSubclasses)
			.flatMap((entity) -> names(entity).stream())
			.toList();
	}

	/**
	 * Return the tables that an entity writes.
	 */
	static List<String> names(EntityPersister entity) {
		return HibernateVersion.CURRENT.tables(entity).stream().map(EntityTableMapping::getTableName).toList();
	}

	private static String table(CollectionPersister collection) {
		return ((CollectionMutationTarget) collection).getCollectionTableMapping().getTableName();
	}

	private static Stream<EntityPersister> withSubclasses(EntityPersister entity) {
		MappingMetamodelImplementor mapping = entity.getFactory().getMappingMetamodel();
		return Stream.concat(Stream.of(entity.getEntityName()), entity.getSubclassEntityNames().stream())
			.map(mapping::getEntityDescriptor);
	}

	private static Stream<SharedTable> tables(EntityKeys keys, EntityPersister entity) {
		return withSubclasses(entity).flatMap((each) -> HibernateVersion.CURRENT.tables(each)
			.stream()
			.filter((table) -> isMapped(each, table) || hasKey(keys, each, table) || showsRows(each, table))
			.map((table) -> new SharedTable(keys, table.getTableName(), isMapped(each, table),
					columns(keys, each, table))));
	}

	private static boolean isMapped(EntityMappingType entity, EntityTableMapping table) {
		return entity.getMappedTableDetails().getTableName().equals(table.getTableName());
	}

	private static boolean hasKey(EntityKeys keys, EntityPersister entity, EntityTableMapping table) {
		KeyOfRow key = KeyOfRow.of(keys, entity);
		return !key.isId() && table.containsAttributeColumns(key.index());
	}

	/**
	 * Return whether the rows of an entity are hidden as long as a secondary table has
	 * none for them.
	 */
	private static boolean showsRows(EntityPersister entity, EntityTableMapping table) {
		return !table.isOptional() && Stream
			.iterate(entity.getSuperMappingType(), Objects::nonNull, EntityMappingType::getSuperMappingType)
			.noneMatch((parent) -> isMapped(parent, table));
	}

	private static List<String> columns(EntityKeys keys, EntityPersister entity, EntityTableMapping table) {
		KeyOfRow key = KeyOfRow.of(keys, entity);
		if (key.isId()) {
			return ids(table);
		}
		return hasKey(keys, entity, table) ? KeyColumns.of(entity, key).names() : List.of();
	}

	private static List<String> ids(EntityTableMapping table) {
		return table.getKeyDetails().getKeyColumns().stream().map(KeyColumn::getColumnName).toList();
	}

	private Optional<KeyOfRow> key(EntityPersister entity, EntityPersister other, EntityTableMapping written) {
		KeyOfRow key = KeyOfRow.of(this.keys, entity);
		List<KeyOfRow> candidates = KeyOfRow.all(this.keys.filter(), other)
			.filter((candidate) -> !this.columns.isEmpty() && columns(other, candidate, written).equals(this.columns))
			.toList();
		Optional<KeyOfRow> found = candidates.stream()
			.filter((candidate) -> haveSameForm(key.type(entity).getReturnedClass(),
					candidate.type(other).getReturnedClass()))
			.findFirst();
		if (found.isEmpty() && isNamed(written.getTableName(), other.getFactory())
				&& (!candidates.isEmpty() || key.isId() || !this.mapped && this.columns.isEmpty())) {
			throw this.keys.invalidAsEntity(
					"to whose table the entity " + other.getEntityName()
							+ " is mapped too, which has these keys in another form or not at all",
					"Map " + KeyColumns.of(entity, key) + " in both entities as attributes of the same type");
		}
		return found;
	}

	/**
	 * Return whether a name is that of this table for certain: one of them may say the
	 * schema in which the database looks for the other.
	 */
	private boolean isNamed(String other, SessionFactoryImplementor unit) {
		return other.equals(this.name) || (DatabaseTable.plainName(other).equals(DatabaseTable.plainName(this.name))
				&& qualified(other, unit).equalsIgnoreCase(qualified(this.name, unit)));
	}

	private static String qualified(String name, SessionFactoryImplementor unit) {
		try (StatelessSession session = unit.openStatelessSession()) {
			return session.doReturningWork((connection) -> DatabaseTable.qualified(name, connection));
		}
		catch (HibernateException ex) {
			return name;
		}
	}

	private static List<String> columns(EntityPersister other, KeyOfRow candidate, EntityTableMapping written) {
		if (candidate.isId()) {
			return ids(written);
		}
		if (!(other.getPropertyInsertability()[candidate.index()]
				|| other.getPropertyUpdateability()[candidate.index()])
				|| !written.containsAttributeColumns(candidate.index())) {
			return List.of();
		}
		KeyColumns columns = KeyColumns.of(other, candidate);
		return columns.areWritten() ? columns.names() : List.of();
	}

	private static boolean haveSameForm(Class<?> type, Class<?> other) {
		Class<?> boxed = ClassUtils.resolvePrimitiveIfNecessary(type);
		Class<?> otherBoxed = ClassUtils.resolvePrimitiveIfNecessary(other);
		return boxed == otherBoxed || (INTEGERS.contains(boxed) && INTEGERS.contains(otherBoxed));
	}

}
