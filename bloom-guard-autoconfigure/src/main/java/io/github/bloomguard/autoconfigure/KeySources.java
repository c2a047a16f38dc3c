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

import java.util.List;

import io.github.bloomguard.KeySource;

/**
 * Finds the sources of the keys of each filter. A bean of this type takes the place of
 * what the properties and the {@link KeySource} beans say, as in tests that load nothing.
 *
 * @since 1.0.0
 */
public interface KeySources {

	/**
	 * Return the sources of a filter.
	 * @param filter its name, as configured under {@code bloom-guard.filters}
	 * @return the sources; without one, the filter is not loaded
	 */
	List<KeySource> find(String filter);

}
