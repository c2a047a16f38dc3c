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
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.bloomguard.jdbc.StoredCode;
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
 * @param known the keys, none if they are not known
 */
record WrittenKeys(MappedStatement statement, @Nullable Object parameter, FollowedKey key,
		@Nullable FollowedColumn column, How how, List<Object> known) {

	/**
	 * To be called after the statement: what generates ids has set them then.
	 */
	static List<WrittenKeys> of(MappedStatement statement, BoundSql sql, SqlStatement text, List<FollowedKey> followed,
			Function<String, Map<String, Boolean>> related, Function<String, StoredCode.Code> stored) {
		List<WrittenKeys> written = new ArrayList<>();
		CalledCode called = CalledCode.of(text, stored);
		for (FollowedKey key : followed) {
			TableWrites writes = text.writes().to(key, related);
			if (!writes.isNothing()) {
				written.addAll(of(statement, sql, key, writes));
			}
			if (called.mayWrite(key, related)) {
				written.add(new WrittenKeys(statement, sql.getParameterObject(), key, null, How.UNKNOWN, List.of()));
			}
		}
		return written;
	}

	private static List<WrittenKeys> of(MappedStatement statement, BoundSql sql, FollowedKey key, TableWrites writes) {
		List<FollowedColumn> columns = key.columns();
		List<WrittenKeys> parts = parts(statement, sql, key, writes::to);
		if (parts.isEmpty() && !columns.isEmpty()) {
			return Stream
				.concat(named(statement, sql, key, writes::changedBy, How.KEPT),
						named(statement, sql, key, writes::deletedBy, How.DELETED))
				.toList();
		}
		if (columns.size() == 1 || (parts.isEmpty() && writes.areDeletions())) {
			return parts;
		}
		List<Object> joined = (parts.size() == columns.size()) ? joined(parts) : List.of();
		return List.of(new WrittenKeys(statement, sql.getParameterObject(), key, null,
				joined.isEmpty() ? How.UNKNOWN : How.KNOWN, joined));
	}

	private static List<WrittenKeys> parts(MappedStatement statement, BoundSql sql, FollowedKey key,
			Function<FollowedColumn, WrittenValues> values) {
		List<WrittenKeys> parts = new ArrayList<>();
		for (FollowedColumn column : key.columns()) {
			WrittenValues written = values.apply(column);
			if (written.kind() != WrittenValues.Kind.NOTHING) {
				parts.add(of(statement, key, column, written, sql));
			}
		}
		return parts;
	}

	/**
	 * Return the keys of the rows that a condition names, as far as the statement tells.
	 */
	private static Stream<WrittenKeys> named(MappedStatement statement, BoundSql sql, FollowedKey key,
			Function<FollowedColumn, WrittenValues> condition, How how) {
		List<WrittenKeys> parts = parts(statement, sql, key, condition);
		boolean known = parts.size() == key.columns().size()
				&& parts.stream().allMatch((part) -> part.how == How.KNOWN);
		if (!known) {
			return Stream.empty();
		}
		boolean single = parts.size() == 1;
		List<Object> keys = single ? parts.get(0).known : combined(parts);
		return keys.isEmpty() ? Stream.empty() : Stream.of(new WrittenKeys(statement, sql.getParameterObject(), key,
				single ? parts.get(0).column : null, how, keys));
	}

	/**
	 * Return keys of several parts, of which one may have several values: of more it is
	 * not known which belong together.
	 */
	private static List<Object> combined(List<WrittenKeys> parts) {
		List<List<Object>> keys = List.of(List.of());
		for (WrittenKeys part : parts) {
			if (keys.size() > 1 && part.known.size() > 1) {
				return List.of();
			}
			keys = keys.stream()
				.flatMap((key) -> part.known.stream()
					.map((value) -> Stream.concat(key.stream(), Stream.of(value)).toList()))
				.toList();
		}
		return List.copyOf(keys);
	}

	/**
	 * Return keys of several parts, none if a row does not tell each of them.
	 */
	private static List<Object> joined(List<WrittenKeys> parts) {
		List<Object> keys = new ArrayList<>();
		int rows = parts.isEmpty() ? 0 : parts.get(0).known.size();
		for (int i = 0; i < rows; i++) {
			List<Object> key = new ArrayList<>();
			for (WrittenKeys part : parts) {
				if (part.known.size() != rows) {
					return List.of();
				}
				key.add(part.known.get(i));
			}
			keys.add(key);
		}
		return keys;
	}

	private static WrittenKeys of(MappedStatement statement, FollowedKey key, FollowedColumn column,
			WrittenValues values, BoundSql sql) {
		Object parameter = sql.getParameterObject();
		WrittenKeys unknown = new WrittenKeys(statement, parameter, key, column, How.UNKNOWN, List.of());
		How leftOut = (property(statement, column) != null) ? How.GENERATED : How.UNKNOWN;
		if (values.kind() == WrittenValues.Kind.DEFAULT) {
			return unknown.how((leftOut == How.UNKNOWN && !column.isId()) ? How.LEFT_OUT : leftOut);
		}
		List<ParameterMapping> mappings = sql.getParameterMappings();
		if (values.kind() == WrittenValues.Kind.UNKNOWN || values.placeholders() != mappings.size()) {
			return unknown;
		}
		List<Object> known = new ArrayList<>();
		for (int index : values.parameters()) {
			ParameterMapping mapping = mappings.get(index);
			Object value = value(mapping, parameter, sql, statement.getConfiguration());
			if (value == null && column.isId()) {
				return unknown.how(leftOut);
			}
			if (value == null) {
				continue;
			}
			if (mapping.getMode() != ParameterMode.IN || !column.hasForm(value)
					|| !isPlain(mapping, value, statement.getConfiguration())) {
				return unknown;
			}
			known.add(value);
		}
		return new WrittenKeys(statement, parameter, key, column, How.KNOWN, known);
	}

	private WrittenKeys how(How other) {
		return new WrittenKeys(this.statement, this.parameter, this.key, this.column, other, this.known);
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
			if (column.isColumn(SqlTokens.unquoted(columns[i]))) {
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

	enum How {

		KNOWN,

		/**
		 * The rows had these keys before, and something else of them is changed: what was
		 * not found may be found from now on.
		 */
		KEPT,

		DELETED,

		/**
		 * By the database, and MyBatis sets them in the parameter.
		 */
		GENERATED,

		/**
		 * The column has its default, which is no key if it is empty.
		 */
		LEFT_OUT,

		UNKNOWN

	}

}
