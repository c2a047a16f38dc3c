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

package io.github.bloomguard.health;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.feed.RowFeed;
import io.github.bloomguard.guard.ManagedFilters;

/**
 * Is {@code UP} if all filters answer that are meant to, and {@code UNKNOWN} rather than
 * {@code DOWN} if one does not: calls go through unguarded, and to take the application
 * out of service would be worse. It is {@code UNKNOWN} too if a filter was wrong, until
 * that is acknowledged (detail {@code falseNegatives}), while absent answers are looked
 * up before they are given because another instance has found one to be wrong (detail
 * {@code beforeUntil}), or what others write has not been followed for a minute (detail
 * {@code changes}). The detail {@code reasons} tells what filters lack.
 *
 * @param up whether it is {@code UP}
 */
public record FilterHealth(boolean up, Map<String, Object> details) {

	/**
	 * The message of an indicator that can't tell.
	 */
	public static final String FAILED = "The filters can't be examined";

	/**
	 * The states of filters that do what they are meant to.
	 */
	private static final Set<FilterState> MEANT = EnumSet.of(FilterState.READY, FilterState.SHADOW, FilterState.OFF);

	private static final Duration BEHIND = Duration.ofMinutes(1);

	public static FilterHealth of(ManagedFilters filters) {
		boolean ready = filters.stream().map((managed) -> managed.filter().state()).allMatch(MEANT::contains);
		Map<String, Object> details = new LinkedHashMap<>();
		filters.forEach((managed) -> details.put(managed.name(), managed.filter().state()));
		Map<String, String> reasons = new LinkedHashMap<>();
		filters.forEach((managed) -> {
			String reason = managed.filter().stateChange().reason();
			if (reason != null) {
				reasons.put(managed.name(), reason);
			}
		});
		put(details, "reasons", reasons);
		Map<String, String> behind = behind(filters);
		put(details, "changes", behind);
		Map<String, Instant> doubted = new LinkedHashMap<>();
		filters.stream()
			.filter((managed) -> managed.filter().probation().isDoubted())
			.forEach((managed) -> doubted.put(managed.name(), managed.filter().probation().proof().doubt().end()));
		put(details, "beforeUntil", doubted);
		Map<String, Long> falseNegatives = new LinkedHashMap<>();
		filters.stream()
			.filter((managed) -> managed.statistics().unacknowledgedFalseNegatives() > 0)
			.forEach((managed) -> falseNegatives.put(managed.name(),
					managed.statistics().unacknowledgedFalseNegatives()));
		put(details, "falseNegatives", falseNegatives);
		return new FilterHealth(ready && falseNegatives.isEmpty() && doubted.isEmpty() && behind.isEmpty(), details);
	}

	private static Map<String, String> behind(ManagedFilters filters) {
		Map<String, String> behind = new LinkedHashMap<>();
		Instant now = Instant.now();
		filters.forEach((managed) -> {
			RowFeed changes = managed.changes();
			if (changes != null && changes.progress().behind(now).compareTo(BEHIND) >= 0) {
				behind.put(managed.name(), changes.progress().problem(now));
			}
		});
		return behind;
	}

	private static void put(Map<String, Object> details, String name, Map<String, ?> values) {
		if (!values.isEmpty()) {
			details.put(name, values);
		}
	}

}
