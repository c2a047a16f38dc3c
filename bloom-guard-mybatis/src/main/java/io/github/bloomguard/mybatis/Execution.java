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

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

import org.apache.ibatis.executor.keygen.NoKeyGenerator;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.reflection.MetaObject;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ObjectUtils;

/**
 * A statement that MyBatis has executed.
 *
 * @param parameter where MyBatis sets what the database generates
 * @param values what the database was given for the placeholders, by their position
 * @param increments whether the database may generate values of a column
 */
record Execution(MappedStatement statement, @Nullable Object parameter, Map<Integer, @Nullable Object> values,
		BiPredicate<FollowedKey, FollowedColumn> increments) {

	/**
	 * Return what MyBatis has set for a column in the parameter.
	 * @return empty if it has set nothing
	 */
	List<@Nullable Object> generated(FollowedColumn column) {
		String property = property(column);
		return (property != null) ? values(property) : List.of();
	}

	boolean generates(FollowedColumn column) {
		return property(column) != null;
	}

	/**
	 * Return the property of the parameter in which MyBatis sets what the database
	 * generates for a column.
	 */
	private @Nullable String property(FollowedColumn column) {
		String[] properties = this.statement.getKeyProperties();
		String[] columns = this.statement.getKeyColumns();
		if (properties == null || this.statement.getKeyGenerator() instanceof NoKeyGenerator) {
			return null;
		}
		if (columns == null) {
			return (column.isId() && properties.length == 1) ? properties[0] : null;
		}
		for (int i = 0; i < Math.min(properties.length, columns.length); i++) {
			if (column.isColumn(SqlTokens.unquoted(columns[i]))) {
				return properties[i];
			}
		}
		return null;
	}

	/**
	 * Return what is in the objects in which a property is set: the parameter, the one of
	 * several that the property names, or each of a list.
	 */
	private List<@Nullable Object> values(String property) {
		List<@Nullable Object> values = new ArrayList<>();
		boolean named = isNamed(this.parameter, property);
		String path = named ? property.substring(property.indexOf('.') + 1) : property;
		for (Object row : rows(this.parameter, property)) {
			MetaObject object = this.statement.getConfiguration().newMetaObject(row);
			values.add(object.hasGetter(path) ? object.getValue(path) : null);
		}
		return values;
	}

	private static boolean isNamed(@Nullable Object parameter, String property) {
		int dot = property.indexOf('.');
		return dot > 0 && parameter instanceof Map<?, ?> map && !map.containsKey(property)
				&& map.containsKey(property.substring(0, dot));
	}

	private static Collection<?> rows(@Nullable Object parameter, String property) {
		if (!(parameter instanceof Map<?, ?> map) || map.containsKey(property)) {
			return each(parameter);
		}
		if (isNamed(parameter, property)) {
			return each(map.get(property.substring(0, property.indexOf('.'))));
		}
		Set<Object> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
		distinct.addAll(map.values());
		return (distinct.size() == 1) ? each(distinct.iterator().next()) : List.of();
	}

	private static Collection<?> each(@Nullable Object rows) {
		if (rows instanceof Collection<?> collection) {
			return collection;
		}
		if (rows != null && rows.getClass().isArray()) {
			return Arrays.asList(ObjectUtils.toObjectArray(rows));
		}
		return (rows != null) ? List.of(rows) : List.of();
	}

}
