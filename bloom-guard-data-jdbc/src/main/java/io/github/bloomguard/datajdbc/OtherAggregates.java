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
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.github.bloomguard.entity.EntityKeys;
import io.github.bloomguard.jdbc.RelatedTables;
import org.jspecify.annotations.Nullable;

import org.springframework.data.relational.core.mapping.RelationalMappingContext;
import org.springframework.data.relational.core.mapping.RelationalPersistentEntity;

/**
 * The aggregates whose tables only lead to those of filters: parts of them, or views.
 */
final class OtherAggregates {

	private final Supplier<? extends Collection<EntityKeys>> configured;

	private final Supplier<@Nullable DataSource> dataSource;

	private final RelatedTables tables = new RelatedTables();

	OtherAggregates(Supplier<? extends Collection<EntityKeys>> configured, Supplier<@Nullable DataSource> dataSource) {
		this.configured = configured;
		this.dataSource = dataSource;
	}

	/**
	 * Return the filters that get rows when those of another aggregate are inserted. Of
	 * aggregates with the same table the mapping tells more.
	 */
	List<EntityKeys> filters(RelationalPersistentEntity<?> other, RelationalMappingContext mapping) {
		DataSource dataSource = this.dataSource.get();
		if (dataSource == null) {
			return List.of();
		}
		String own = table(other);
		Set<String> reached = this.tables.of(dataSource, own).keySet();
		return (reached.size() <= 1) ? List.of()
				: this.configured.get()
					.stream()
					.filter((keys) -> mapping.getPersistentEntities()
						.stream()
						.filter((entity) -> entity.getType().getName().equals(keys.entity()))
						.map(OtherAggregates::table)
						.anyMatch((table) -> !table.equals(own) && reached.contains(table)))
					.toList();
	}

	private static String table(RelationalPersistentEntity<?> entity) {
		return RelatedTables.plain(entity.getTableName().getReference());
	}

}
