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

package io.github.bloomguard.mybatis;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import com.baomidou.mybatisplus.core.metadata.TableFieldInfo;
import com.baomidou.mybatisplus.core.metadata.TableInfo;
import io.github.bloomguard.entity.EntityKeys;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ClassUtils;

/**
 * The column whose values are the keys of a filter.
 *
 * @param table as it is written in statements
 * @param column as it is written in statements
 */
record FollowedColumn(EntityKeys keys, String table, String column, Class<?> type, boolean isId) {

	/**
	 * The types whose values have the same form in a column.
	 */
	private static final Set<Class<?>> PLAIN = Set.of(Long.class, Integer.class, Short.class, Byte.class,
			BigInteger.class, BigDecimal.class, String.class, UUID.class);

	static FollowedColumn of(EntityKeys keys, TableInfo table) {
		String attribute = keys.attribute();
		String id = table.getKeyProperty();
		if (attribute == null && id == null) {
			throw keys.invalid("which has no @TableId",
					"Set it, or bloom-guard.filters." + keys.filter() + ".attribute to the attribute that is the key");
		}
		if (id != null && (attribute == null || attribute.equals(id))) {
			return column(keys, table, table.getKeyColumn(), table.getKeyType(), true);
		}
		TableFieldInfo field = table.getFieldList()
			.stream()
			.filter((candidate) -> candidate.getProperty().equals(attribute))
			.findFirst()
			.orElseThrow(() -> keys.invalid("which it does not have", "Name one of its attributes: " + attributes(table)
					+ ", or remove the attribute if the key is the id"));
		if (field.getTypeHandler() != null) {
			throw keys.invalid("whose @TableField has a type handler, so it is not known what is stored",
					"Name another attribute, or remove the entity, and use warm-up.query and @BloomAdd");
		}
		return column(keys, table, field.getColumn(), field.getPropertyType(), false);
	}

	private static FollowedColumn column(EntityKeys keys, TableInfo table, String column, Class<?> type, boolean id) {
		Class<?> boxed = ClassUtils.resolvePrimitiveIfNecessary(type);
		if (!PLAIN.contains(boxed)) {
			throw keys.invalid("whose keys are of the type " + type.getName() + ", which a column may have otherwise",
					"Name an attribute that is a number, text or UUID, or remove the entity, and use warm-up.query and"
							+ " @BloomAdd");
		}
		return new FollowedColumn(keys, table.getTableName(), column, boxed, id);
	}

	private static List<String> attributes(TableInfo table) {
		return Stream
			.concat(Stream.ofNullable(table.getKeyProperty()),
					table.getFieldList().stream().map(TableFieldInfo::getProperty))
			.sorted()
			.toList();
	}

	String filter() {
		return this.keys.filter();
	}

	boolean isInteger() {
		return this.type == Long.class || this.type == Integer.class;
	}

	/**
	 * Return whether a parameter has the form that it has in the column.
	 */
	boolean hasForm(Object parameter) {
		boolean integer = parameter instanceof Long || parameter instanceof Integer || parameter instanceof Short
				|| parameter instanceof Byte || parameter instanceof BigInteger;
		if (this.type == String.class) {
			return parameter instanceof String || integer;
		}
		return (this.type == UUID.class) ? parameter instanceof UUID
				: integer || (this.type == BigDecimal.class && parameter instanceof BigDecimal);
	}

	/**
	 * Return whether a statement names this table, in whatever schema: databases ignore
	 * the case of names that are not quoted.
	 */
	boolean isTable(String name) {
		return name.equals(tableName());
	}

	boolean isColumn(@Nullable String name) {
		return columnName().equals(name);
	}

	String tableName() {
		return lastPart(this.table);
	}

	String columnName() {
		return lastPart(this.column);
	}

	/**
	 * Return a name without schema and quotes, in a form to compare.
	 */
	private static String lastPart(String name) {
		return name.substring(name.lastIndexOf('.') + 1).replaceAll("[\"`\\[\\]]", "").toLowerCase(Locale.ROOT);
	}

}
