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

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.LocalDate;
import java.util.Set;
import java.util.UUID;

import io.github.bloomguard.filter.KeyFormat;
import org.hibernate.metamodel.mapping.JdbcMapping;
import org.hibernate.type.CustomType;
import org.hibernate.type.SqlTypes;

import org.springframework.util.ClassUtils;

/**
 * Tells which columns have values of the same form as the attribute. Where that is not
 * certain, they have not.
 */
record PlainColumns(KeyFormat format) {

	private static final Set<Class<?>> NUMBERS = Set.of(Long.class, Integer.class, Short.class, Byte.class,
			BigInteger.class, BigDecimal.class);

	private static final Set<Integer> NUMBER_TYPES = Set.of(SqlTypes.BIGINT, SqlTypes.INTEGER, SqlTypes.SMALLINT,
			SqlTypes.TINYINT, SqlTypes.NUMERIC, SqlTypes.DECIMAL);

	private static final Set<Integer> TEXT_TYPES = Set.of(SqlTypes.VARCHAR, SqlTypes.NVARCHAR, SqlTypes.CHAR,
			SqlTypes.NCHAR, SqlTypes.LONGVARCHAR, SqlTypes.LONGNVARCHAR, SqlTypes.LONG32VARCHAR,
			SqlTypes.LONG32NVARCHAR);

	private static final Set<Integer> ENUM_TYPES = Set.of(SqlTypes.VARCHAR, SqlTypes.CHAR, SqlTypes.ENUM,
			SqlTypes.NAMED_ENUM);

	private static final Set<Integer> UUID_TYPES = Set.of(SqlTypes.UUID, SqlTypes.BINARY, SqlTypes.VARBINARY,
			SqlTypes.CHAR, SqlTypes.VARCHAR);

	boolean include(JdbcMapping column) {
		return column.getValueConverter() == null && !(column instanceof CustomType)
				&& isOfHibernate(column.getJavaTypeDescriptor()) && isOfHibernate(column.getJdbcType())
				&& include(ClassUtils.resolvePrimitiveIfNecessary(column.getJavaTypeDescriptor().getJavaTypeClass()),
						column.getJdbcType().getDefaultSqlTypeCode());
	}

	private boolean include(Class<?> attribute, int column) {
		if (attribute == UUID.class) {
			return UUID_TYPES.contains(column) && bytesAreUuids();
		}
		if (attribute == String.class) {
			return TEXT_TYPES.contains(column);
		}
		return attribute.isEnum() ? ENUM_TYPES.contains(column)
				: (NUMBERS.contains(attribute) && NUMBER_TYPES.contains(column))
						|| (attribute == LocalDate.class && column == SqlTypes.DATE);
	}

	/**
	 * Return whether bytes are UUIDs: a converter of the application may give them
	 * another form.
	 */
	private boolean bytesAreUuids() {
		return this.format.format(new byte[16]).equals(this.format.format(new UUID(0, 0)));
	}

	/**
	 * Types of an application may store other values.
	 */
	private static boolean isOfHibernate(Object type) {
		return type.getClass().getName().startsWith("org.hibernate.");
	}

}
