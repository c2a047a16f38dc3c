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

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.bloomguard.KeyEquality;
import io.github.bloomguard.KeyEquality.Difference;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.jdbc.KeyType;
import io.github.bloomguard.jdbc.JdbcKeySource;
import io.github.bloomguard.jdbc.RowSecurity;
import io.github.bloomguard.jdbc.SpareConnections;
import org.jspecify.annotations.Nullable;

import org.springframework.data.jdbc.core.convert.JdbcConverter;
import org.springframework.data.relational.core.dialect.Dialect;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import org.springframework.data.relational.domain.RowDocument;

final class JdbcEntityKeySource implements KeySource, KeyEquality {

	private final EntityKeys keys;

	private final RelationalPersistentProperty property;

	private final JdbcConverter converter;

	private final List<String> names;

	private final String columns;

	private final List<KeyType> attribute;

	private volatile List<KeyType> types;

	private final JdbcKeySource rows;

	private final boolean heard;

	JdbcEntityKeySource(EntityKeys keys, KeyProperty key, JdbcConverter converter, Dialect dialect,
			DataSource dataSource, int fetchSize, @Nullable Integer partitions, RowSecurity security,
			SpareConnections spare, boolean heard) {
		this.heard = heard;
		this.keys = keys;
		this.property = key.property();
		this.converter = converter;
		this.attribute = KeyType.parts(this.property.getType());
		this.types = this.attribute;
		Map<String, SqlIdentifier> columns = key.columns(converter.getMappingContext());
		this.names = List.copyOf(columns.keySet());
		boolean divided = this.property.isIdProperty() && isInteger(converter.getColumnType(this.property))
				&& (partitions == null || partitions > 1);
		String selected = columns.values().stream().map((name) -> sql(name, dialect)).collect(Collectors.joining(", "));
		this.columns = selected + " from " + sql(key.entity().getQualifiedTableName(), dialect);
		this.rows = new JdbcKeySource(keys.filter(), dataSource,
				"select " + this.columns + (divided ? " where " + selected + " between :from and :to" : ""), null,
				fetchSize, divided ? partitions : Integer.valueOf(1), security, spare);
	}

	private static String sql(SqlIdentifier name, Dialect dialect) {
		return name.toSql(dialect.getIdentifierProcessing());
	}

	private static boolean isInteger(Class<?> type) {
		return type == Long.class || type == Integer.class;
	}

	@Override
	public String filter() {
		return this.keys.filter();
	}

	@Override
	public String fingerprint() {
		return this.keys.fingerprint(this.columns);
	}

	@Override
	public boolean isOwn() {
		return this.rows.isOwn();
	}

	@Override
	public String database() {
		String database = this.rows.database();
		if (!isConverted()) {
			this.types = KeyType.inColumns(this.attribute, this.rows.types());
		}
		return database;
	}

	private boolean isConverted() {
		return !this.property.isEmbedded() && this.converter.getColumnType(this.property) != this.property.getType();
	}

	@Override
	public String schemaVersion() {
		return this.rows.schemaVersion();
	}

	@Override
	public Optional<KeyEquality> equality() {
		return Optional.of(this);
	}

	@Override
	public Set<Difference> ignored() {
		return this.rows.ignored();
	}

	@Override
	public boolean tellsApart(List<? extends @Nullable Object> key) {
		return KeyType.tellApart(this.types, key);
	}

	@Override
	public Optional<Boolean> contains(List<? extends @Nullable Object> key) {
		return (isConverted() || key.size() != this.attribute.size() || !tellsApart(key)) ? Optional.empty()
				: this.rows.contains(key);
	}

	@Override
	public Optional<String> doubt() {
		return this.heard ? Optional.empty()
				: Optional.of("Spring Data JDBC does not tell of new rows of " + this.keys.entity()
						+ ", because a parent context saves them: let it have the guard, too, or make the repositories"
						+ " and their JdbcAggregateTemplate in this context");
	}

	@Override
	public Stream<?> keys() {
		return this.rows.keys().map(this::key);
	}

	@Override
	public List<Supplier<Stream<?>>> partitions() {
		return this.rows.partitions()
			.stream()
			.<Supplier<Stream<?>>>map((rows) -> () -> rows.get().map(this::key))
			.toList();
	}

	@Override
	public void cancel() {
		this.rows.cancel();
	}

	private @Nullable Object key(@Nullable Object row) {
		if (!this.property.isEmbedded()) {
			return SpringDataJdbcVersion.CURRENT.read(this.converter, row, this.property);
		}
		List<?> values = (row instanceof List<?> several) ? several : List.of(row);
		RowDocument document = new RowDocument(values.size());
		for (int i = 0; i < values.size(); i++) {
			document.put(this.names.get(i), values.get(i));
		}
		return this.converter.readAndResolve(this.property.getType(), document);
	}

}
