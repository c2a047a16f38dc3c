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

package io.github.bloomguard.autoconfigure;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.autoconfigure.BloomGuardProperties.Filter;
import io.github.bloomguard.backend.memory.MemoryBackend;
import io.github.bloomguard.filter.FilterChecks;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a filter that another application owns, and for which something is configured
 * that only its owner can do.
 *
 * @param application the name of this application
 * @param defaults what holds for all filters, which is no mistake
 */
record ReaderCheck(String name, String owner, String application, Filter filter, Filter defaults) {

	void check(KeySources sources) {
		FilterChecks checks = new FilterChecks(this.name);
		checks.that(!this.owner.equals(this.application), "owner",
				"'" + this.owner + "', which is the name of this application",
				"Remove it, and configure where the keys come from, or name the application that loads the filter");
		checks.that(!MemoryBackend.TYPE.equals(this.filter.type()), "type",
				"'" + this.filter.type() + "', and no other process sees such a filter",
				"Set it to the type that the filter has in '" + this.owner + "'");
		settings().forEach((property, set) -> checks.that(!set, property,
				"set, but " + checks.property("owner") + " is '" + this.owner + "'",
				"Remove it: only its owner loads the filter, so it is configured there. Or remove the owner, if this"
						+ " application is to load a filter of its own"));
		if (!sources.find(this.name).isEmpty()) {
			throw new InvalidGuardException(
					"There is a KeySource bean of the filter '" + this.name + "', but " + checks.property("owner")
							+ " is '" + this.owner + "'",
					"Remove the bean: only its owner loads the filter. Or remove the owner, if this application is to"
							+ " load a filter of its own");
		}
	}

	/**
	 * Return the properties of the source and of loading, and whether they are set.
	 */
	private Map<String, Boolean> settings() {
		Map<String, Boolean> set = new LinkedHashMap<>();
		set.put("table", this.filter.table() != null);
		set.put("key-columns", !this.filter.keyColumns().isEmpty());
		set.put("entity", this.filter.entity() != null);
		set.put("attribute", this.filter.attribute() != null);
		set.put("data-source", this.filter.dataSource() != null);
		set.put("text", this.filter.text() != null);
		set.put("warm-up", differ(this.filter.warmUp(), this.defaults.warmUp()));
		set.put("catch-up", differ(this.filter.catchUp(), this.defaults.catchUp()));
		set.put("changes", differ(this.filter.changes(), this.defaults.changes()));
		set.put("caches", !this.filter.caches().isEmpty());
		return set;
	}

	private static boolean differ(@Nullable Object one, @Nullable Object other) {
		return !Objects.equals(one, other);
	}

}
