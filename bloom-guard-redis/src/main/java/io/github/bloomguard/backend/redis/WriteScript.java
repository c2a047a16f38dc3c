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

package io.github.bloomguard.backend.redis;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import io.github.bloomguard.filter.FilterSpecification;

/**
 * How elements are written to filters of one kind, as a part of scripts that do other
 * things, too.
 */
public interface WriteScript {

	/**
	 * Return Lua for two functions. {@code write(key, at)} writes elements to a filter,
	 * and returns 1; or 0 or less, when no lookup can be answered from that filter any
	 * more, which it sees to. The arguments from {@code at} are those of
	 * {@link #arguments}, and {@code after(at)} is where the next ones begin.
	 */
	String functions();

	/**
	 * Return the arguments of {@code write}; empty if a script that does other things
	 * can't write the elements.
	 */
	Optional<List<Object>> arguments(String name, FilterSpecification specification, Collection<String> elements);

	default int shards(FilterSpecification specification) {
		return 1;
	}

	/**
	 * Return Lua that calls {@code try(command, …)} for each command that the kind needs
	 * besides those of the control record, on {@code key}, which is not there before and
	 * may be afterwards.
	 */
	String trials();

}
