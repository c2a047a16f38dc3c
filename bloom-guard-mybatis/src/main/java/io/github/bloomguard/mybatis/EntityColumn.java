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
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;

import com.baomidou.mybatisplus.core.metadata.TableFieldInfo;
import com.baomidou.mybatisplus.core.metadata.TableInfo;
import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.entity.EntityRows;

import org.springframework.util.ClassUtils;

/**
 * Finds the column of an entity of MyBatis-Plus whose values are the keys of a filter.
 */
final class EntityColumn {

	/**
	 * The types whose values have the same form in a column.
	 */
	private static final Set<Class<?>> PLAIN = Set.of(Long.class, Integer.class, Short.class, Byte.class,
			BigInteger.class, BigDecimal.class, String.class, UUID.class);

	private EntityColumn() {
	}

	static FollowedColumn find(EntityKeys keys, TableInfo table) {
		String attribute = keys.attribute();
		String id = table.getKeyProperty();
		if (attribute == null && id == null) {
			throw keys.invalid("which has no @TableId",
					"Set it, or bloom-guard.filters." + keys.filter() + ".attribute to the attribute that is the key");
		}
		if (id != null && (attribute == null || attribute.equals(id))) {
			return column(keys, table.getKeyColumn(), table.getKeyType(), true);
		}
		TableFieldInfo field = table.getFieldList()
			.stream()
			.filter((candidate) -> candidate.getProperty().equals(attribute))
			.findFirst()
			.orElseThrow(() -> keys.unknownAttribute(attributes(table)));
		if (field.getTypeHandler() != null) {
			throw keys.invalidAsEntity("whose @TableField has a type handler, so it is not known what is stored",
					"Name another attribute");
		}
		return column(keys, field.getColumn(), field.getPropertyType(), false);
	}

	private static FollowedColumn column(EntityKeys keys, String column, Class<?> type, boolean id) {
		Class<?> boxed = ClassUtils.resolvePrimitiveIfNecessary(type);
		if (!PLAIN.contains(boxed)) {
			throw keys.invalidAsEntity(
					"whose keys are of the type " + type.getName() + ", which a column may have otherwise",
					"Name an attribute that is a number, text or UUID");
		}
		return new FollowedColumn(column, boxed, id);
	}

	/**
	 * Return the type that parameters must have, {@code Object} if the values of the
	 * column differ from the keys.
	 */
	static Class<?> type(EntityRows.Column column) {
		Class<?> boxed = ClassUtils.resolvePrimitiveIfNecessary(column.type());
		return (column.plain() && PLAIN.contains(boxed)) ? boxed : Object.class;
	}

	private static List<String> attributes(TableInfo table) {
		return Stream
			.concat(Stream.ofNullable(table.getKeyProperty()),
					table.getFieldList().stream().map(TableFieldInfo::getProperty))
			.sorted()
			.toList();
	}

}
