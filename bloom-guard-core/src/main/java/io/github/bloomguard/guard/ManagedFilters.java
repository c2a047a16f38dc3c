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

package io.github.bloomguard.guard;

import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

import io.github.bloomguard.UnknownFilterException;
import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.GuardedFilters;
import io.github.bloomguard.call.WrittenFilter;
import org.jspecify.annotations.Nullable;

/**
 * The configured filters.
 */
public final class ManagedFilters implements Iterable<ManagedFilter>, GuardedFilters {

	private final Map<String, ManagedFilter> filters = new LinkedHashMap<>();

	public ManagedFilters(Collection<ManagedFilter> filters) {
		filters.forEach((filter) -> this.filters.put(filter.name(), filter));
	}

	public @Nullable ManagedFilter find(String name) {
		return this.filters.get(name);
	}

	@Override
	public GuardedFilter get(String name) {
		return require(name).guard();
	}

	@Override
	public WrittenFilter written(String name) {
		return require(name).written();
	}

	ManagedFilter require(String name) {
		ManagedFilter filter = find(name);
		if (filter == null) {
			throw new UnknownFilterException(name, names());
		}
		return filter;
	}

	public Collection<String> names() {
		return this.filters.keySet();
	}

	public Stream<ManagedFilter> stream() {
		return this.filters.values().stream();
	}

	@Override
	public Iterator<ManagedFilter> iterator() {
		return this.filters.values().iterator();
	}

}
