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

package io.github.bloomguard.guard;

import java.util.function.Supplier;

import io.github.bloomguard.call.GuardedFilter;
import io.github.bloomguard.call.WrittenFilter;
import io.github.bloomguard.feed.RowFeed;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.instance.FillLevel;
import io.github.bloomguard.instance.GenerationalFilter;
import io.github.bloomguard.statistics.FilterStatistics;
import io.github.bloomguard.verifying.FloodWatch;
import io.github.bloomguard.verifying.QuestionRates;
import io.github.bloomguard.warmup.WarmUp;
import org.jspecify.annotations.Nullable;

/**
 * All parts of one configured filter.
 *
 * @param rates how many questions a second verify what it calls absent
 * @param changes adds the keys of rows that others write, {@code null} for nothing
 */
public record ManagedFilter(FilterSettings settings, GenerationalFilter filter, FillLevel fillLevel, WarmUp warmUp,
		GuardedFilter guard, WrittenFilter written, FilterStatistics statistics, FloodWatch flood,
		Supplier<QuestionRates> rates, @Nullable RowFeed changes) {

	/**
	 * Return the name of the application that owns the filter, which is only asked here,
	 * {@code null} if it is this one.
	 */
	public @Nullable String owner() {
		return this.filter.owner();
	}

	public String name() {
		return this.settings.name();
	}

}
