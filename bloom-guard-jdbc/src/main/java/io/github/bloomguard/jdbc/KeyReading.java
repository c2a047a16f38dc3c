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

import org.jspecify.annotations.Nullable;

/**
 * How the keys of a filter are read, as far as it is configured.
 */
public interface KeyReading {

	@Nullable String countQuery();

	int fetchSize();

	/**
	 * Return how many ranges of keys are read at the same time, {@code null} for as many
	 * as suit the database.
	 */
	@Nullable Integer partitions();

	/**
	 * Return whether the one database is read to which what routes to several leads.
	 */
	boolean allowRoutingDataSource();

	RowSecurity rowSecurity();

}
