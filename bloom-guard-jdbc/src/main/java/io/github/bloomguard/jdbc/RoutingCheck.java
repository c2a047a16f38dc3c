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

import java.util.Set;
import java.util.function.BiFunction;

import javax.sql.DataSource;

import io.github.bloomguard.InvalidGuardException;
import org.jspecify.annotations.Nullable;

/**
 * Refuses data sources that lead to several databases: keys are read without a tenant.
 */
public final class RoutingCheck {

	private RoutingCheck() {
	}

	public static void check(String filter, KeyReading reading, @Nullable DataSource dataSource,
			BiFunction<String, String, InvalidGuardException> refusal) {
		if (dataSource == null || reading.allowRoutingDataSource()) {
			return;
		}
		RoutingDataSources.find(dataSource).ifPresent((type) -> {
			throw refused(filter, "DataSource", type,
					(problem, remedy) -> refusal.apply(problem, oneOf(filter, dataSource) + remedy));
		});
	}

	private static String oneOf(String filter, DataSource dataSource) {
		Set<String> databases = RoutingDataSources.targets(dataSource).keySet();
		return databases.isEmpty() ? "" : "If one of them has all the rows, set bloom-guard.filters." + filter
				+ ".data-source to its name, one of " + databases + ". ";
	}

	public static InvalidGuardException refused(String filter, String kind, Class<?> type,
			BiFunction<String, String, InvalidGuardException> refusal) {
		return refusal.apply(
				"but its " + kind + " is a " + type.getName()
						+ ", which routes to several databases, of which only the default one would be read",
				"If each tenant has a database, declare a KeySource bean that gives the keys of all of them instead,"
						+ " and use @BloomAdd; if all of them are copies of the default one, set bloom-guard.filters."
						+ filter + ".warm-up.allow-routing-data-source to true");
	}

}
