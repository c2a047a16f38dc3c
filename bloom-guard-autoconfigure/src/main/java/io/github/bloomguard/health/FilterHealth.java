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
import java.util.function.Function;

import io.github.bloomguard.FilterState;
import io.github.bloomguard.feed.RowFeed;
import io.github.bloomguard.guard.ManagedFilter;
import io.github.bloomguard.guard.ManagedFilters;
import io.github.bloomguard.instance.Standing;
import org.jspecify.annotations.Nullable;

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
		boolean meant = filters.stream().map((managed) -> managed.filter().state()).allMatch(MEANT::contains);
		Map<String, Object> details = each(filters, (managed) -> managed.filter().state());
		Map<String, Object> behind = each(filters, FilterHealth::behind);
		Map<String, Object> doubted = each(filters, FilterHealth::doubtedUntil);
		Map<String, Object> falseNegatives = each(filters, FilterHealth::falseNegatives);
		put(details, "reasons", each(filters, (managed) -> managed.filter().stateChange().reason()));
		put(details, "changes", behind);
		put(details, "beforeUntil", doubted);
		put(details, "falseNegatives", falseNegatives);
		return new FilterHealth(meant && falseNegatives.isEmpty() && doubted.isEmpty() && behind.isEmpty(), details);
	}

	private static @Nullable String behind(ManagedFilter managed) {
		Instant now = Instant.now();
		RowFeed changes = managed.changes();
		return (changes != null && changes.progress().behind(now).compareTo(BEHIND) >= 0)
				? changes.progress().problem(now) : null;
	}

	private static @Nullable Instant doubtedUntil(ManagedFilter managed) {
		Standing standing = managed.filter().standing();
		return standing.doubted() ? standing.beforeUntil() : null;
	}

	private static @Nullable Long falseNegatives(ManagedFilter managed) {
		long falseNegatives = managed.statistics().unacknowledgedFalseNegatives();
		return (falseNegatives > 0) ? falseNegatives : null;
	}

	/**
	 * Return what is to be said of filters, by their names.
	 */
	private static Map<String, Object> each(ManagedFilters filters, Function<ManagedFilter, @Nullable Object> detail) {
		Map<String, Object> details = new LinkedHashMap<>();
		filters.forEach((managed) -> {
			Object found = detail.apply(managed);
			if (found != null) {
				details.put(managed.name(), found);
			}
		});
		return details;
	}

	private static void put(Map<String, Object> details, String name, Map<String, Object> values) {
		if (!values.isEmpty()) {
			details.put(name, values);
		}
	}

}
