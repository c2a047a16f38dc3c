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

package io.github.bloomguard.cache;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

import io.github.bloomguard.call.Answer;
import org.jspecify.annotations.Nullable;

/**
 * The caches that hold what methods have found that filters guard.
 *
 * @param names the names of the caches of each filter
 * @param clearedByAdd gives, for a filter and a key, the text, or those of several parts,
 * under which each add of its row clears what is remembered; {@code null} if there is
 * none
 * @param confirmedBySource tells, for a filter and a key that a load has not found,
 * whether its sources have no such row either, as far as they can tell. They are asked
 * when it is called
 * @param addTimeout the longest time that an add waits for them
 */
public record FilterCaches(Map<String, List<String>> names, BiFunction<String, Object, @Nullable Object> clearedByAdd,
		BiFunction<String, Object, Answer<Boolean>> confirmedBySource, Duration addTimeout) {

	/**
	 * Those of an application without filters.
	 */
	public static final FilterCaches NONE = new FilterCaches(Map.of(), (filter, key) -> null, Duration.ZERO);

	/**
	 * Create the caches of filters whose sources can't tell.
	 */
	public FilterCaches(Map<String, List<String>> names, BiFunction<String, Object, @Nullable Object> clearedByAdd,
			Duration addTimeout) {
		this(names, clearedByAdd, (filter, key) -> Answer.of(true), addTimeout);
	}

	List<String> of(String filter) {
		return this.names.getOrDefault(filter, List.of());
	}

}
