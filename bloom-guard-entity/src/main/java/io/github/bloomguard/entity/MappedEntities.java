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

import java.util.Collection;

import javax.sql.DataSource;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.jdbc.RowSecurity;
import org.jspecify.annotations.Nullable;

/**
 * The entities of one mapping, such as a persistence unit.
 */
public interface MappedEntities {

	String description();

	Collection<String> names();

	boolean contains(String entity);

	/**
	 * @throws InvalidGuardException if these can't be the keys of a filter
	 */
	Class<?> type(EntityKeys keys);

	@Nullable DataSource dataSource();

	/**
	 * Return whether each caller sees the rows of a tenant.
	 */
	default boolean haveTenants() {
		return false;
	}

	/**
	 * Return whether that is so because each tenant has tables of its own.
	 */
	default boolean haveTablesOfTenants() {
		return false;
	}

	/**
	 * @throws InvalidGuardException if these can't be the keys of a filter
	 */
	EntityRows rows(EntityKeys keys);

	/**
	 * Return a source of the keys of all rows.
	 * @param partitions how many ranges of integer ids are read at the same time, each by
	 * a connection of its own; {@code null} for as many as suit the database
	 * @param security what a load does if it sees a part of the rows only
	 * @throws InvalidGuardException if these can't be the keys of a filter
	 */
	KeySource source(EntityKeys keys, int fetchSize, @Nullable Integer partitions, RowSecurity security);

	/**
	 * Return the same source, of the rows in one of the databases to which the mapping
	 * may lead.
	 * @throws InvalidGuardException if the mapping can't read from a database that is
	 * given
	 */
	default KeySource source(EntityKeys keys, DataSource database, int fetchSize, @Nullable Integer partitions,
			RowSecurity security) {
		throw keys.invalid(
				"and bloom-guard.filters." + keys.filter() + ".data-source is set, but " + description()
						+ " reads from its own database only",
				"Remove data-source, or use warm-up.query instead of the entity, and @BloomAdd");
	}

}
