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

package io.github.bloomguard;

/**
 * A call was not let through, because the filter can't tell and as many calls as are
 * allowed are loading already. It may be repeated later.
 *
 * @since 1.0.0
 */
public class LoadRejectedException extends BloomGuardException {

	private static final long serialVersionUID = 1L;

	/**
	 * Create an exception that names the property.
	 * @param filter the name of the filter
	 * @param state the state that it is in
	 * @param limit how many calls may load at the same time
	 */
	public LoadRejectedException(String filter, FilterState state, int limit) {
		super("The filter '" + filter + "' can't tell (it is " + state + "), and " + limit
				+ " calls are loading already: as many as bloom-guard.filters." + filter
				+ ".fallback.max-concurrent-loads allows", null);
	}

}
