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

import java.util.stream.Stream;

import org.springframework.beans.factory.ObjectProvider;

/**
 * Gives the mappings of one kind, such as all persistence units.
 */
@FunctionalInterface
public interface EntityMappings {

	Stream<MappedEntities> all();

	/**
	 * Return what there is one of, or else all, so that an entity is refused which more
	 * than one of them could read.
	 */
	static <T> Stream<T> onlyOrAll(ObjectProvider<T> beans) {
		T only = beans.getIfUnique();
		return (only != null) ? Stream.of(only) : beans.stream();
	}

}
