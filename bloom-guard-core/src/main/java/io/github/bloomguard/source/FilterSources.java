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

package io.github.bloomguard.source;

import java.util.List;
import java.util.Set;

import io.github.bloomguard.KeyEquality;
import io.github.bloomguard.KeyEquality.Difference;
import io.github.bloomguard.KeySource;
import io.github.bloomguard.feed.FeedDefinition;
import org.jspecify.annotations.Nullable;

/**
 * Where the keys of one filter come from.
 *
 * @param keys the sources that give all of them
 * @param dependent whether the callers may see other rows than the sources, even if none
 * of them {@linkplain KeySource#dependsOnCaller() says so}
 * @param ignored what is ignored in texts where no source says so
 * @param feed what adds the keys of rows that others write, {@code null} for nothing
 */
public record FilterSources(List<KeySource> keys, boolean dependent, Set<Difference> ignored,
		@Nullable FeedDefinition feed) {

	public static FilterSources of(List<KeySource> keys) {
		return new FilterSources(List.copyOf(keys), false, KeyEquality.EXACT, null);
	}

	/**
	 * Return whether the rows that there are depend on the caller, so that no source can
	 * tell for all of them.
	 */
	public boolean dependOnCaller() {
		return this.dependent || this.keys.stream().anyMatch(KeySource::dependsOnCaller);
	}

}
