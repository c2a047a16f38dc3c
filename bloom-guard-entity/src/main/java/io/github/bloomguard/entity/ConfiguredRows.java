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
import java.util.stream.Stream;

import io.github.bloomguard.jdbc.KeyTable;

/**
 * Which rows filters are configured for. It is a bean wherever there is a guard.
 */
public interface ConfiguredRows {

	List<EntityKeys> entities();

	/**
	 * Return whether any filter has an entity or a table.
	 */
	boolean areThere();

	/**
	 * Return where the rows of entities are that are in a database of SQL, whatever maps
	 * them.
	 */
	default Stream<EntityRows> ofEntities() {
		return entities().stream().flatMap(this::of);
	}

	Stream<EntityRows> of(EntityKeys keys);

	Stream<KeyTable> ofTables();

}
