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

package io.github.bloomguard.jdbc;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;

import javax.sql.DataSource;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.filter.FilterChecks;
import org.jspecify.annotations.Nullable;

/**
 * Finds the data source that a filter names: a bean, or one of the databases to which a
 * bean routes.
 *
 * @param beans those of the application, by their names
 * @param names gives the name that a filter has, {@code null} if it has none
 */
public record NamedDataSources(Supplier<? extends Map<String, DataSource>> beans,
		Function<String, @Nullable String> names) {

	/**
	 * Return the data source that a filter names, {@code null} if it names none.
	 * @throws InvalidGuardException if there is none of that name, or more than one
	 */
	public @Nullable DataSource find(String filter) {
		String name = this.names.apply(filter);
		if (name == null) {
			return null;
		}
		Map<String, DataSource> beans = this.beans.get();
		DataSource bean = beans.get(name);
		if (bean != null) {
			return bean;
		}
		List<DataSource> databases = beans.values()
			.stream()
			.map((routing) -> RoutingDataSources.targets(routing).get(name))
			.filter(Objects::nonNull)
			.distinct()
			.toList();
		if (databases.size() != 1) {
			throw new FilterChecks(filter).invalid("data-source",
					"'" + name + "', which is "
							+ (databases.isEmpty() ? "neither a DataSource bean nor a database to which one routes"
									: "a database to which several DataSource beans route"),
					"Write one of " + names(beans));
		}
		return databases.get(0);
	}

	private static Set<String> names(Map<String, DataSource> beans) {
		Set<String> names = new TreeSet<>(beans.keySet());
		beans.values().forEach((bean) -> names.addAll(RoutingDataSources.targets(bean).keySet()));
		return names;
	}

}
