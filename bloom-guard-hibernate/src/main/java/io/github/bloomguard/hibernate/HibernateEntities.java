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

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import javax.sql.DataSource;

import io.github.bloomguard.KeySource;
import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.entity.EntityRows;
import io.github.bloomguard.entity.MappedEntities;
import io.github.bloomguard.filter.KeyFormat;
import io.github.bloomguard.jdbc.RowSecurity;
import io.github.bloomguard.jdbc.SpareConnections;
import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import org.hibernate.binder.internal.TenantIdBinder;
import org.hibernate.boot.spi.SessionFactoryOptions;
import org.hibernate.engine.jdbc.connections.spi.ConnectionProvider;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.persister.entity.EntityPersister;
import org.hibernate.type.BasicType;
import org.hibernate.type.CompositeType;
import org.hibernate.type.Type;
import org.jspecify.annotations.Nullable;

/**
 * The entities of a persistence unit of Hibernate.
 */
public final class HibernateEntities implements MappedEntities {

	private final SessionFactoryImplementor factory;

	private final KeyFormat format;

	private final HibernateWrites writes;

	private final SpareConnections spare;

	private HibernateEntities(SessionFactoryImplementor factory, KeyFormat format, HibernateWrites writes,
			SpareConnections spare) {
		this.spare = spare;
		this.factory = factory;
		this.format = format;
		this.writes = writes;
	}

	public static Optional<MappedEntities> of(EntityManagerFactory factory, KeyFormat format, HibernateWrites writes,
			SpareConnections spare) {
		return sessionFactory(factory).map((sessions) -> new HibernateEntities(sessions, format, writes, spare));
	}

	static Optional<SessionFactoryImplementor> sessionFactory(EntityManagerFactory factory) {
		try {
			return Optional.of(factory.unwrap(SessionFactoryImplementor.class));
		}
		catch (PersistenceException ex) {
			return Optional.empty();
		}
	}

	@Override
	public String description() {
		return "the persistence unit" + ((this.factory.getName() != null) ? " '" + this.factory.getName() + "'" : "");
	}

	@Override
	public Collection<String> names() {
		return this.factory.getMetamodel()
			.getEntities()
			.stream()
			.map((entity) -> entity.getJavaType().getName())
			.sorted()
			.toList();
	}

	@Override
	public boolean contains(String entity) {
		return names().contains(entity);
	}

	@Override
	public Class<?> type(EntityKeys keys) {
		EntityPersister entity = this.factory.getMappingMetamodel().getEntityDescriptor(keys.entity());
		return KeyOfRow.of(keys, entity).type(entity).getReturnedClass();
	}

	@Override
	public @Nullable DataSource dataSource() {
		ConnectionProvider connections = this.factory.getServiceRegistry().getService(ConnectionProvider.class);
		return (connections != null && connections.isUnwrappableAs(DataSource.class))
				? connections.unwrap(DataSource.class) : null;
	}

	@Override
	public EntityRows rows(EntityKeys keys) {
		EntityPersister entity = this.factory.getMappingMetamodel().getEntityDescriptor(keys.entity());
		return KeyOfRow.of(keys, entity).rows(keys, entity, this.format);
	}

	@Override
	public KeySource source(EntityKeys keys, int fetchSize, @Nullable Integer partitions, RowSecurity security) {
		EntityPersister entity = this.factory.getMappingMetamodel().getEntityDescriptor(keys.entity());
		if (haveTenants()) {
			// the reader has no tenant, and would see the rows of one or of none
			throw keys.invalid("but " + description() + " has tenants, whose rows can't be read together",
					"Remove the entity, and use warm-up.query or a KeySource bean for the keys of all tenants, and"
							+ " @BloomAdd");
		}
		KeyOfRow key = KeyOfRow.of(keys, entity);
		checkAttribute(keys, entity, key);
		checkParts(keys, entity, key.type(entity));
		keys.check(type(keys), this.format);
		SharedTable.check(keys, entity);
		return new HibernateKeySource(this.factory, keys, entity, KeyColumns.of(entity, key),
				queries(keys, entity, key), this.writes, fetchSize, partitions, security, dataSource(), this.spare);
	}

	private static KeyQueries queries(EntityKeys keys, EntityPersister entity, KeyOfRow key) {
		KeyColumns columns = KeyColumns.of(entity, key);
		if (!AllRows.areHidden(entity)) {
			return new VisibleRows(entity, key.isId() ? null : keys.attribute(), columns);
		}
		if (key.type(entity) instanceof BasicType<?> type) {
			return new AllRows(columns, type, KeyColumns.ofId(entity));
		}
		throw keys.invalid(
				"some of whose rows Hibernate hides (by a restriction, a soft delete or a discriminator), and whose keys"
						+ " have several columns, which can't be read without Hibernate",
				"Set bloom-guard.filters." + keys.filter() + ".attribute to an attribute of one column, or remove the"
						+ " entity, and use warm-up.query for the keys of all rows and @BloomAdd");
	}

	@Override
	public boolean haveTenants() {
		return haveTablesOfTenants()
				|| this.factory.getSessionFactoryOptions().getCurrentTenantIdentifierResolver() != null;
	}

	/**
	 * Tenants that share their tables are told apart by a filter.
	 */
	@Override
	public boolean haveTablesOfTenants() {
		SessionFactoryOptions options = this.factory.getSessionFactoryOptions();
		return options.isMultiTenancyEnabled() || (options.getCurrentTenantIdentifierResolver() != null
				&& !this.factory.getDefinedFilterNames().contains(TenantIdBinder.FILTER_NAME));
	}

	private static void checkAttribute(EntityKeys keys, EntityPersister entity, KeyOfRow key) {
		if (key.isId()) {
			return;
		}
		Type type = key.type(entity);
		if (type.isAssociationType()) {
			throw keys.invalid("which is an association",
					"Name an attribute with a value of its own, one of " + attributes(keys, entity));
		}
		if (!entity.getPropertyInsertability()[key.index()] || !KeyColumns.of(entity, key).areInserted()) {
			throw keys.invalidAsEntity("which Hibernate does not insert, so it does not know the keys of new rows",
					"Name an attribute that is insertable");
		}
	}

	/**
	 * Refuse keys that no query can read.
	 */
	private static void checkParts(EntityKeys keys, EntityPersister entity, Type type) {
		if (type instanceof CompositeType composite) {
			for (int i = 0; i < composite.getSubtypes().length; i++) {
				if (composite.getSubtypes()[i].isAssociationType()) {
					throw keys.invalidAsEntity(
							"whose keys have an association or a collection inside, '" + composite.getPropertyNames()[i]
									+ "'",
							"Name an attribute with a value of its own, one of " + attributes(keys, entity));
				}
				checkParts(keys, entity, composite.getSubtypes()[i]);
			}
		}
	}

	static List<String> attributes(EntityKeys keys, EntityPersister entity) {
		return KeyOfRow.all(keys.filter(), entity)
			.filter((key) -> !key.isId() && !key.type(entity).isAssociationType())
			.map((key) -> key.name(entity))
			.sorted()
			.toList();
	}

}
