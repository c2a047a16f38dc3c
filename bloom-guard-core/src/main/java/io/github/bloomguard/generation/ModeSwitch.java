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

import java.time.Instant;

import io.github.bloomguard.FilterMode;
import org.jspecify.annotations.Nullable;

/**
 * A mode that a filter was given at run time. It is kept in the control record, so that
 * all instances have it, over what each of them has configured.
 *
 * @param at when it was given
 * @param by the name of the user who has given it, {@code null} if that is not known
 * @param everywhere whether it was given to the filters of this name of all applications,
 * not to that of one
 * @since 1.0.0
 */
public record ModeSwitch(FilterMode mode, Instant at, @Nullable String by, boolean everywhere) {

	/**
	 * Create a switch of the filter of one application.
	 */
	public ModeSwitch(FilterMode mode, Instant at, @Nullable String by) {
		this(mode, at, by, false);
	}

}
