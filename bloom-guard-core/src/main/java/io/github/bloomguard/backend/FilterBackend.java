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

package io.github.bloomguard.backend;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.feed.CheckpointStore;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.sentinel.EmptySentinels;

/**
 * One kind of server in which filters are kept, with all that belongs to them.
 */
public interface FilterBackend {

	/**
	 * Return the value of {@code bloom-guard.filters.<name>.type} for filters that are
	 * kept here, known before the server is.
	 */
	String type();

	/**
	 * Check that a filter of a size can be kept here.
	 * @throws InvalidGuardException if it can't
	 */
	default void check(FilterSpecification specification) {
	}

	/**
	 * Return where the bits of all filters are kept.
	 */
	FilterStore filters();

	/**
	 * Return where the control record of a filter is kept, with its journal.
	 */
	ControlStore control(FilterSettings settings, Origin origin);

	/**
	 * Return where the empty sentinels of a filter are kept.
	 */
	EmptySentinels sentinels(FilterSettings settings, Origin origin);

	/**
	 * Return where the checkpoints of a filter are kept that catches up.
	 */
	CheckpointStore checkpoints(FilterSettings settings, Origin origin);

}
