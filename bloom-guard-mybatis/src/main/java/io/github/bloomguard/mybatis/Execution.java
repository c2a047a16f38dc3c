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
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;

import org.apache.ibatis.executor.keygen.NoKeyGenerator;
import org.apache.ibatis.mapping.BoundSql;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.mapping.ParameterMapping;
import org.apache.ibatis.reflection.MetaObject;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.type.TypeHandler;
import org.apache.ibatis.type.UnknownTypeHandler;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ObjectUtils;

/**
 * A statement that MyBatis has executed.
 *
 * @param given what its parameters had before where MyBatis sets what the database
 * generates, by the path in them: drivers count on from the first value, whatever the
 * rows really have
 * @param increments whether the database may generate values of a column
 */
record Execution(MappedStatement statement, BoundSql sql, Map<String, List<@Nullable Object>> given,
		BiPredicate<FollowedKey, FollowedColumn> increments) {

	/**
	 * Return what MyBatis is about to overwrite.
	 */
	static Map<String, List<@Nullable Object>> given(MappedStatement statement, @Nullable Object parameter) {
		Map<String, List<@Nullable Object>> given = new HashMap<>();
		String[] properties = statement.getKeyProperties();
		if (properties != null && !(statement.getKeyGenerator() instanceof NoKeyGenerator)) {
			for (String property : properties) {
				given.put(path(parameter, property), values(statement, parameter, property));
			}
		}
		return given;
	}

	/**
	 * Return what MyBatis has set for a column in the parameter.
	 * @return empty if it has set nothing
	 */
	List<@Nullable Object> generated(FollowedColumn column) {
		String property = property(column);
		return (property != null) ? values(this.statement, this.sql.getParameterObject(), property) : List.of();
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
	 * Return what a parameter had before the statement, if MyBatis may have overwritten
	 * it.
	 */
	List<@Nullable Object> overwritten(ParameterMapping mapping) {
		return this.given.entrySet()
			.stream()
			.filter((given) -> ("." + mapping.getProperty()).endsWith("." + given.getKey()))
			.flatMap((given) -> given.getValue().stream())
			.toList();
	}

	/**
	 * Return a parameter as MyBatis finds it.
	 */
	@Nullable Object value(ParameterMapping mapping) {
		String property = mapping.getProperty();
		Object parameter = this.sql.getParameterObject();
		Configuration configuration = this.statement.getConfiguration();
		if (this.sql.hasAdditionalParameter(property)) {
			return this.sql.getAdditionalParameter(property);
		}
		if (parameter == null || configuration.getTypeHandlerRegistry().hasTypeHandler(parameter.getClass())) {
			return parameter;
		}
		return configuration.newMetaObject(parameter).getValue(property);
	}

	/**
	 * Return whether a parameter is stored as it is: handlers of an application may
	 * change it.
	 */
	boolean isPlain(ParameterMapping mapping, Object value) {
		TypeHandler<?> handler = mapping.getTypeHandler();
		if (handler instanceof UnknownTypeHandler) {
			handler = this.statement.getConfiguration().getTypeHandlerRegistry().getTypeHandler(value.getClass());
		}
		return handler == null || handler.getClass().getName().startsWith("org.apache.ibatis.type.");
	}

	/**
	 * Return what is in the objects in which a property is set: the parameter, the one of
	 * several that the property names, or each of a list.
	 */
	private static List<@Nullable Object> values(MappedStatement statement, @Nullable Object parameter,
			String property) {
		List<@Nullable Object> values = new ArrayList<>();
		String path = path(parameter, property);
		for (Object row : rows(parameter, property)) {
			MetaObject object = statement.getConfiguration().newMetaObject(row);
			values.add(object.hasGetter(path) ? object.getValue(path) : null);
		}
		return values;
	}

	private static String path(@Nullable Object parameter, String property) {
		return isNamed(parameter, property) ? property.substring(property.indexOf('.') + 1) : property;
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
