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

package io.github.bloomguard.generation;

import java.util.List;

/**
 * Evidence of calls about a filter that has not been reported yet. A key is there by its
 * hash, so it counts once, however often and by how many instances it is reported.
 *
 * @param absent keys that the filter called absent, and that were not found
 * @param found keys that the filter let pass, and that were found
 * @param wrong keys that the filter called absent, and that were found
 * @param complete whether that is known to be enough
 * @param callersOnly whether a caller has found a row that no source has
 */
public record Evidence(List<String> absent, List<String> found, List<String> wrong, boolean complete,
		boolean callersOnly) {

	public static final Evidence NONE = new Evidence(List.of(), List.of(), List.of(), false, false);

	public boolean isEmpty() {
		return this.absent.isEmpty() && this.found.isEmpty() && this.wrong.isEmpty() && !this.complete
				&& !this.callersOnly;
	}

}
