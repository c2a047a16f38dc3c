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

import java.util.List;
import java.util.Optional;

import javax.sql.DataSource;

import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.jdbc.JdbcKeySource;
import io.github.bloomguard.jdbc.KeyAttribute;
import io.github.bloomguard.jdbc.RowSecurity;
import io.github.bloomguard.jdbc.SpareConnections;
import org.jspecify.annotations.Nullable;

import org.springframework.data.jdbc.core.convert.JdbcConverter;
import org.springframework.data.relational.core.dialect.Dialect;
import org.springframework.data.relational.core.mapping.RelationalPersistentProperty;
import org.springframework.data.relational.core.sql.SqlIdentifier;
import org.springframework.data.relational.domain.RowDocument;

/**
 * Reads the keys of an aggregate in SQL, and converts them as Spring Data JDBC does.
 */
final class JdbcEntityKeySource extends JdbcKeySource {

	private final EntityKeys keys;

	private final RelationalPersistentProperty property;

	private final JdbcConverter converter;

	private final List<String> names;

	private final String columns;

	private final boolean heard;

	JdbcEntityKeySource(EntityKeys keys, KeyProperty key, JdbcConverter converter, Dialect dialect,
			DataSource dataSource, int fetchSize, @Nullable Integer partitions, RowSecurity security,
			SpareConnections spare, boolean heard) {
		super(keys.filter(), dataSource, "select " + columns(key, converter, dialect),
				selected(key, converter, dialect).get(0), fetchSize, isDivided(key) ? partitions : Integer.valueOf(1),
				security, spare, KeyAttribute.of(key.property().getType(), isConverted(key.property(), converter)));
		this.heard = heard;
		this.keys = keys;
		this.property = key.property();
		this.converter = converter;
		this.names = List.copyOf(key.columns(converter.getMappingContext()).keySet());
		this.columns = columns(key, converter, dialect);
	}

	@Override
	protected List<String> tables() {
		return List.of(this.converter.getMappingContext()
			.getRequiredPersistentEntity(this.property.getOwner().getType())
			.getTableName()
			.getReference());
	}

	/**
	 * The first column of an embedded id need not have an index of its own.
	 */
	private static boolean isDivided(KeyProperty key) {
		return key.isId() && !key.property().isEmbedded();
	}

	private static boolean isConverted(RelationalPersistentProperty property, JdbcConverter converter) {
		return !property.isEmbedded() && converter.getColumnType(property) != property.getType();
	}

	private static String columns(KeyProperty key, JdbcConverter converter, Dialect dialect) {
		return String.join(", ", selected(key, converter, dialect)) + " from "
				+ sql(key.entity().getQualifiedTableName(), dialect);
	}

	private static List<String> selected(KeyProperty key, JdbcConverter converter, Dialect dialect) {
		return key.columns(converter.getMappingContext()).values().stream().map((name) -> sql(name, dialect)).toList();
	}

	private static String sql(SqlIdentifier name, Dialect dialect) {
		return name.toSql(dialect.getIdentifierProcessing());
	}

	@Override
	public String fingerprint() {
		return this.keys.fingerprint(this.columns);
	}

	@Override
	public Optional<String> doubt() {
		return this.heard ? Optional.empty()
				: Optional.of("Spring Data JDBC does not tell of new rows of " + this.keys.entity()
						+ ", because a parent context saves them: let it have the guard, too, or make the repositories"
						+ " and their JdbcAggregateTemplate in this context");
	}

	@Override
	protected @Nullable Object converted(@Nullable Object row) {
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
