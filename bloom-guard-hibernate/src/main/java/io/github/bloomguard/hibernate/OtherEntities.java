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
import java.util.Set;
import java.util.function.Supplier;

import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.jdbc.RelatedTables;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.metamodel.spi.MappingMetamodelImplementor;
import org.hibernate.persister.entity.EntityPersister;

/**
 * The entities whose tables only lead to those of filters: parts of them, or views.
 */
final class OtherEntities {

	private final Supplier<? extends Collection<EntityKeys>> configured;

	private final RelatedTables tables = new RelatedTables();

	OtherEntities(Supplier<? extends Collection<EntityKeys>> configured) {
		this.configured = configured;
	}

	/**
	 * Return the filters that get rows when those of another entity are inserted. Of
	 * entities with the same table the mapping tells more.
	 */
	List<EntityKeys> filters(EntityPersister other, SharedSessionContractImplementor session) {
		String own = RelatedTables.plain(other.getMappedTableDetails().getTableName());
		Set<String> reached = this.tables
			.of(session.getFactory(), own, session.getJdbcCoordinator().getLogicalConnection()::getPhysicalConnection)
			.keySet();
		if (reached.size() <= 1) {
			return List.of();
		}
		return this.configured.get().stream().filter((keys) -> hasTable(keys, other, own, reached)).toList();
	}

	private static boolean hasTable(EntityKeys keys, EntityPersister other, String own, Set<String> reached) {
		MappingMetamodelImplementor mapping = other.getFactory().getMappingMetamodel();
		EntityPersister entity = mapping.findEntityDescriptor(keys.entity());
		return entity != null && HibernateVersion.CURRENT.tables(entity)
			.stream()
			.map((table) -> RelatedTables.plain(table.getTableName()))
			.anyMatch((table) -> !table.equals(own) && reached.contains(table));
	}

}
