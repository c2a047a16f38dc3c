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

import org.apache.ibatis.executor.keygen.NoKeyGenerator;
import org.apache.ibatis.mapping.BoundSql;
import org.apache.ibatis.mapping.MappedStatement;
import org.apache.ibatis.mapping.ParameterMapping;
import org.apache.ibatis.mapping.ParameterMode;
import org.apache.ibatis.reflection.MetaObject;
import org.apache.ibatis.session.Configuration;
import org.apache.ibatis.type.TypeHandler;
import org.apache.ibatis.type.UnknownTypeHandler;
import org.jspecify.annotations.Nullable;

import org.springframework.util.ObjectUtils;

/**
 * The keys of the rows that one statement writes.
 *
 * @param column the only one of the key, {@code null} if there are several, or they are
 * not known
 * @param known the keys, {@code null} if they are generated or not known
 * @param areGenerated whether the database generates them, and MyBatis sets them in the
 * parameter
 * @param areLeftOut whether the column has its default, which is no key if it is empty
 * @param areKept whether the rows had these keys before
 */
record WrittenKeys(MappedStatement statement, @Nullable Object parameter, FollowedKey key,
		@Nullable FollowedColumn column, @Nullable List<Object> known, boolean areGenerated, boolean areLeftOut,
		boolean areKept) {

	WrittenKeys(MappedStatement statement, @Nullable Object parameter, FollowedKey key, @Nullable FollowedColumn column,
			@Nullable List<Object> known, boolean areGenerated, boolean areLeftOut) {
		this(statement, parameter, key, column, known, areGenerated, areLeftOut, false);
	}

	/**
	 * To be called after the statement: what generates ids has set them then.
	 */
	static List<WrittenKeys> of(MappedStatement statement, BoundSql sql, List<FollowedKey> followed) {
		if (followed.isEmpty() || !SqlWrites.mayBeIn(sql.getSql())) {
			return List.of();
		}
		List<WrittenKeys> written = new ArrayList<>();
		SqlWrites writes = SqlWrites.in(sql.getSql());
		for (FollowedKey key : followed) {
			if (writes.areTo(key)) {
				written.addAll(of(statement, sql, key, writes));
			}
		}
		return written;
	}

	private static List<WrittenKeys> of(MappedStatement statement, BoundSql sql, FollowedKey key, SqlWrites writes) {
		List<FollowedColumn> columns = key.columns();
		List<WrittenKeys> parts = new ArrayList<>();
		for (FollowedColumn column : columns) {
			SqlWrites.Values values = writes.to(column);
			if (values.kind() != SqlWrites.Kind.NOTHING) {
				parts.add(of(statement, sql.getParameterObject(), key, column, values, sql));
			}
		}
		if (columns.size() == 1 && parts.isEmpty()) {
			return changed(statement, sql, key, writes);
		}
		if (columns.size() == 1 || (parts.isEmpty() && !columns.isEmpty())) {
			return parts;
		}
		return List.of(new WrittenKeys(statement, sql.getParameterObject(), key, null,
				(!parts.isEmpty() && parts.size() == columns.size()) ? joined(parts) : null, false, false));
	}

	/**
	 * Return the keys that rows keep while something else of them is changed, as far as
	 * the statement tells: what was not found may be found from now on.
	 */
	private static List<WrittenKeys> changed(MappedStatement statement, BoundSql sql, FollowedKey key,
			SqlWrites writes) {
		FollowedColumn column = key.columns().get(0);
		SqlWrites.Values values = writes.changedBy(column);
		if (values.kind() == SqlWrites.Kind.NOTHING) {
			return List.of();
		}
		List<Object> known = of(statement, sql.getParameterObject(), key, column, values, sql).known;
		return (known != null)
				? List.of(new WrittenKeys(statement, sql.getParameterObject(), key, column, known, false, false, true))
				: List.of();
	}

	/**
	 * Return keys of several parts, {@code null} if a row does not tell each of them.
	 */
	private static @Nullable List<Object> joined(List<WrittenKeys> parts) {
		List<Object> keys = new ArrayList<>();
		List<Object> first = parts.get(0).known;
		for (int row = 0; first != null && row < first.size(); row++) {
			List<Object> key = new ArrayList<>();
			for (WrittenKeys part : parts) {
				if (part.known == null || part.known.size() != first.size()) {
					return null;
				}
				key.add(part.known.get(row));
			}
			keys.add(key);
		}
		return (first != null) ? keys : null;
	}

	private static WrittenKeys of(MappedStatement statement, @Nullable Object parameter, FollowedKey key,
			FollowedColumn column, SqlWrites.Values values, BoundSql sql) {
		boolean mayBeGenerated = property(statement, column) != null;
		if (values.kind() == SqlWrites.Kind.DEFAULT) {
			return new WrittenKeys(statement, parameter, key, column, null, mayBeGenerated, !column.isId());
		}
		List<ParameterMapping> mappings = sql.getParameterMappings();
		if (values.kind() == SqlWrites.Kind.UNKNOWN || values.placeholders() != mappings.size()) {
			return new WrittenKeys(statement, parameter, key, column, null, false, false);
		}
		List<Object> known = new ArrayList<>();
		for (int index : values.parameters()) {
			ParameterMapping mapping = mappings.get(index);
			Object value = value(mapping, parameter, sql, statement.getConfiguration());
			if (value == null && column.isId()) {
				return new WrittenKeys(statement, parameter, key, column, null, mayBeGenerated, false);
			}
			if (value == null) {
				continue;
			}
			if (mapping.getMode() != ParameterMode.IN || !column.hasForm(value)
					|| !isPlain(mapping, value, statement.getConfiguration())) {
				return new WrittenKeys(statement, parameter, key, column, null, false, false);
			}
			known.add(value);
		}
		return new WrittenKeys(statement, parameter, key, column, known, false, false);
	}

	/**
	 * Return a parameter as MyBatis finds it.
	 */
	private static @Nullable Object value(ParameterMapping mapping, @Nullable Object parameter, BoundSql sql,
			Configuration configuration) {
		String property = mapping.getProperty();
		if (sql.hasAdditionalParameter(property)) {
			return sql.getAdditionalParameter(property);
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
	private static boolean isPlain(ParameterMapping mapping, Object value, Configuration configuration) {
		TypeHandler<?> handler = mapping.getTypeHandler();
		if (handler instanceof UnknownTypeHandler) {
			handler = configuration.getTypeHandlerRegistry().getTypeHandler(value.getClass());
		}
		return handler == null || handler.getClass().getName().startsWith("org.apache.ibatis.type.");
	}

	boolean areUnknown() {
		return this.known == null && !this.areGenerated;
	}

	/**
	 * Return the column if it has its default, and that is not known.
	 */
	@Nullable FollowedColumn leftOut() {
		return (areUnknown() && this.areLeftOut) ? this.column : null;
	}

	/**
	 * Return what MyBatis has set in the parameter, {@code null} if it has not.
	 */
	@Nullable List<Object> generated() {
		FollowedColumn column = this.column;
		String property = (column != null) ? property(this.statement, column) : null;
		if (column == null || property == null || this.parameter == null) {
			return null;
		}
		List<Object> keys = new ArrayList<>();
		for (Object row : rows(this.parameter, property)) {
			MetaObject values = this.statement.getConfiguration().newMetaObject(row);
			Object key = values.hasGetter(name(property)) ? values.getValue(name(property)) : null;
			if (key == null || !column.hasForm(key)) {
				return null;
			}
			keys.add(key);
		}
		return keys.isEmpty() ? null : keys;
	}

	/**
	 * Return the property of the parameter in which MyBatis sets what the database
	 * generates for a column.
	 */
	private static @Nullable String property(MappedStatement statement, FollowedColumn column) {
		String[] properties = statement.getKeyProperties();
		String[] columns = statement.getKeyColumns();
		if (properties == null || statement.getKeyGenerator() instanceof NoKeyGenerator) {
			return null;
		}
		if (columns == null) {
			return (column.isId() && properties.length == 1) ? properties[0] : null;
		}
		for (int i = 0; i < Math.min(properties.length, columns.length); i++) {
			if (column.isColumn(SqlWrites.unquoted(columns[i]))) {
				return properties[i];
			}
		}
		return null;
	}

	/**
	 * Return the objects in which the key is set: the parameter, the one of several that
	 * the property names, or each of a list.
	 */
	private static Collection<?> rows(Object parameter, String property) {
		if (!(parameter instanceof Map<?, ?> map) || map.containsKey(property)) {
			return each(parameter);
		}
		int dot = property.indexOf('.');
		if (dot > 0 && map.containsKey(property.substring(0, dot))) {
			return each(map.get(property.substring(0, dot)));
		}
		Set<Object> distinct = Collections.newSetFromMap(new IdentityHashMap<>());
		distinct.addAll(map.values());
		return (distinct.size() == 1) ? each(distinct.iterator().next()) : List.of();
	}

	private static String name(String property) {
		return property.substring(property.lastIndexOf('.') + 1);
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
