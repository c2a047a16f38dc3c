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

package io.github.bloomguard.backend.redis.module;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

import io.github.bloomguard.backend.redis.WriteScript;
import io.github.bloomguard.filter.FilterSpecification;

/**
 * Writes elements in the step that appends their keys.
 */
final class ModuleWrites implements WriteScript {

	private final FilterKind kind;

	ModuleWrites(FilterKind kind) {
		this.kind = kind;
	}

	@Override
	public String functions() {
		return new ModuleScripts(this.kind).functions();
	}

	@Override
	public Optional<List<Object>> arguments(String name, FilterSpecification specification,
			Collection<String> elements) {
		return Optional.of(arguments(SealElements.of(name, this.kind.sizes().apply(specification)), elements));
	}

	static List<Object> arguments(SealElements seal, Collection<String> elements) {
		List<Object> arguments = new ArrayList<>();
		arguments.add(String.valueOf(seal.loading().size()));
		arguments.addAll(seal.loading());
		for (String element : new LinkedHashSet<>(elements)) {
			arguments.add(element.getBytes(StandardCharsets.UTF_8));
		}
		arguments.add(0, String.valueOf(arguments.size()));
		return arguments;
	}

	@Override
	public String trials() {
		return this.kind.trials();
	}

}
