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

import java.util.Collection;
import java.util.Objects;
import java.util.stream.Stream;

import javax.sql.DataSource;

import io.github.bloomguard.KeySource;
import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.entity.EntityRows;
import io.github.bloomguard.entity.MappedEntities;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.jdbc.RowSecurity;
import io.github.bloomguard.jdbc.SpareConnections;
import org.jspecify.annotations.Nullable;

import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.data.annotation.Id;
import org.springframework.data.annotation.Persistent;
import org.springframework.data.jdbc.core.convert.JdbcConverter;
import org.springframework.data.relational.core.dialect.Dialect;
import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;
import org.springframework.util.ClassUtils;

/**
 * The aggregates of Spring Data JDBC.
 *
 * @param heard whether {@link JdbcAdds} is told of what is saved
 */
public record JdbcEntities(JdbcConverter converter, Dialect dialect, @Nullable DataSource dataSource, KeyFormat format,
		@Nullable ClassLoader classLoader, SpareConnections spare, boolean heard) implements MappedEntities {

	@Override
	public String description() {
		return "Spring Data JDBC";
	}

	@Override
	public Collection<String> names() {
		return mapping().getPersistentEntities()
			.stream()
			.filter((entity) -> entity.hasIdProperty())
			.map((entity) -> entity.getType().getName())
			.sorted()
			.toList();
	}

	@Override
	public boolean contains(String entity) {
		return find(entity) != null;
	}

	/**
	 * An aggregate may not be known before its repository is made, but it has an id of
	 * Spring Data's, and no annotation of another module, such as {@code @Document}. Any
	 * other class would be mapped by being asked for, or fail at that.
	 */
	private @Nullable RelationalPersistentEntity<?> find(String name) {
		if (!ClassUtils.isPresent(name, this.classLoader)) {
			return null;
		}
		Class<?> type = ClassUtils.resolveClassName(name, this.classLoader);
		if (AnnotatedElementUtils.hasMetaAnnotationTypes(type, Persistent.class)
				|| !(mapping().hasPersistentEntityFor(type) || hasId(type))) {
			return null;
		}
		RelationalPersistentEntity<?> entity = mapping().getPersistentEntity(type);
		return (entity != null && entity.hasIdProperty()) ? entity : null;
	}

	private static boolean hasId(Class<?> type) {
		return Stream.<Class<?>>iterate(type, Objects::nonNull, Class::getSuperclass)
			.flatMap((each) -> Stream.concat(Stream.of(each.getDeclaredFields()), Stream.of(each.getDeclaredMethods())))
			.anyMatch((member) -> AnnotatedElementUtils.hasAnnotation(member, Id.class));
	}

	private RelationalMappingContext mapping() {
		return this.converter.getMappingContext();
	}

	@Override
	public Class<?> type(EntityKeys keys) {
		return key(keys).property().getType();
	}

	@Override
	public EntityRows rows(EntityKeys keys) {
		return key(keys).rows(keys, this.converter, this.dialect.getIdentifierProcessing());
	}

	@Override
	public KeySource source(EntityKeys keys, int fetchSize, @Nullable Integer partitions, RowSecurity security) {
		if (this.dataSource == null) {
			throw keys.invalid("but there is not one DataSource", "Mark the one that has its rows as @Primary");
		}
		return source(keys, this.dataSource, fetchSize, partitions, security);
	}

	@Override
	public KeySource source(EntityKeys keys, DataSource database, int fetchSize, @Nullable Integer partitions,
			RowSecurity security) {
		KeyProperty key = key(keys);
		keys.check(key.property().getType(), this.format);
		return new JdbcEntityKeySource(keys, key, this.converter, this.dialect, database, fetchSize, partitions,
				security, this.spare, this.heard);
	}

	private KeyProperty key(EntityKeys keys) {
		RelationalPersistentEntity<?> entity = find(keys.entity());
		if (entity == null) {
			throw keys.invalid("which is no aggregate", "Name the class of an aggregate");
		}
		return KeyProperty.of(keys, entity);
	}

}
