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

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.StreamSupport;

import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.entity.EntityRows;

import org.jspecify.annotations.Nullable;

import org.springframework.data.jdbc.core.convert.JdbcConverter;
import org.springframework.data.relational.core.mapping.AggregatePath;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.data.relational.core.sql.IdentifierProcessing;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import org.springframework.util.ClassUtils;

/**
 * The property of an aggregate that is the key of a filter.
 */
record KeyProperty(RelationalPersistentEntity<?> entity, RelationalPersistentProperty property) {

	/**
	 * The types whose values have the same form in a column.
	 */
	private static final Set<Class<?>> PLAIN = Set.of(Long.class, Integer.class, Short.class, Byte.class,
			BigInteger.class, BigDecimal.class, String.class, UUID.class);

	static KeyProperty of(EntityKeys keys, RelationalPersistentEntity<?> entity) {
		String attribute = keys.attribute();
		RelationalPersistentProperty property = (attribute != null) ? entity.getPersistentProperty(attribute)
				: entity.getIdProperty();
		if (property == null) {
			throw keys.unknownAttribute(attributes(entity));
		}
		if (!hasValue(property)) {
			throw keys.invalid("which has no value of its own that is written",
					"Name an attribute that has one, one of " + attributes(entity));
		}
		return new KeyProperty(entity, property);
	}

	/**
	 * Find the properties that have the columns of other keys of the table.
	 */
	static List<KeyProperty> of(EntityRows rows, RelationalPersistentEntity<?> written, JdbcConverter converter) {
		return StreamSupport.stream(written.spliterator(), false)
			.filter(KeyProperty::hasValue)
			.map((candidate) -> new KeyProperty(written, candidate))
			.filter((candidate) -> rows.areIn(candidate.parts(converter.getMappingContext())
				.values()
				.stream()
				.map(SqlIdentifier::getReference)
				.toList()))
			.toList();
	}

	EntityRows rows(EntityKeys keys, JdbcConverter converter, IdentifierProcessing quotes) {
		return new EntityRows(keys, this.entity.getQualifiedTableName().toSql(quotes), this.property.isEmbedded(),
				parts(converter.getMappingContext()).entrySet()
					.stream()
					.map((part) -> EntityRows.Column.of(part.getValue().toSql(quotes), part.getKey().getType(),
							isPlain(part.getKey(), converter)))
					.toList());
	}

	private static boolean isPlain(RelationalPersistentProperty property, JdbcConverter converter) {
		Class<?> type = ClassUtils.resolvePrimitiveIfNecessary(property.getType());
		return PLAIN.contains(type) && converter.getColumnType(property) == type;
	}

	/**
	 * Return the columns of the key, by their names in a document of the key alone.
	 */
	Map<String, SqlIdentifier> columns(RelationalMappingContext mapping) {
		Map<String, SqlIdentifier> columns = new LinkedHashMap<>();
		parts(mapping).forEach((part, column) -> columns
			.put(this.property.isEmbedded() ? part.getColumnName().getReference() : part.getName(), column));
		return columns;
	}

	/**
	 * Return the columns of the key, by the properties that they have.
	 */
	Map<RelationalPersistentProperty, SqlIdentifier> parts(RelationalMappingContext mapping) {
		AggregatePath path = mapping.getAggregatePath(this.entity).append(this.property);
		if (!this.property.isEmbedded()) {
			return Map.of(this.property, path.getColumnInfo().name());
		}
		Map<RelationalPersistentProperty, SqlIdentifier> parts = new LinkedHashMap<>();
		for (RelationalPersistentProperty part : path.getRequiredLeafEntity()) {
			parts.put(part, path.append(part).getColumnInfo().name());
		}
		return parts;
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

	@Nullable Object key(Object aggregate) {
		return this.entity.getPropertyAccessor(aggregate).getProperty(this.property);
	}

	/**
	 * Return the key of a row with an id that the database has generated.
	 */
	@Nullable Object key(Object generated, JdbcConverter converter) {
		return SpringDataJdbcVersion.CURRENT.read(converter, generated, this.property);
	}

}
