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

import io.github.bloomguard.feed.RowFeed;
import io.github.bloomguard.FilterState;
import io.github.bloomguard.guard.ManagedFilters;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;

/**
 * Is {@code UP} if all filters answer that are meant to, and {@code UNKNOWN} rather than
 * {@code DOWN} if one does not: calls go through unguarded, and to take the application
 * out of service would be worse. It is {@code UNKNOWN} too if a filter was wrong, until
 * that is acknowledged (detail {@code falseNegatives}), while absent answers are looked
 * up before they are given because another instance has found one to be wrong (detail
 * {@code beforeUntil}), or what others write has not been followed for a minute (detail
 * {@code changes}). The detail {@code reasons} tells what filters lack.
 */
public class BloomGuardHealthIndicator extends AbstractHealthIndicator implements HealthIndicator {

	/**
	 * The states of filters that do what they are meant to.
	 */
	private static final Set<FilterState> MEANT = EnumSet.of(FilterState.READY, FilterState.SHADOW, FilterState.OFF);

	private static final Duration BEHIND = Duration.ofMinutes(1);

	private final ManagedFilters filters;

	public BloomGuardHealthIndicator(ManagedFilters filters) {
		super("The filters can't be examined");
		this.filters = filters;
	}

	@Override
	protected void doHealthCheck(Health.Builder builder) {
		boolean ready = this.filters.stream().map((managed) -> managed.filter().state()).allMatch(MEANT::contains);
		Map<String, Long> falseNegatives = new LinkedHashMap<>();
		this.filters.stream()
			.filter((managed) -> managed.statistics().unacknowledgedFalseNegatives() > 0)
			.forEach((managed) -> falseNegatives.put(managed.name(),
					managed.statistics().unacknowledgedFalseNegatives()));
		Map<String, Instant> doubted = new LinkedHashMap<>();
		this.filters.stream()
			.filter((managed) -> managed.filter().probation().isDoubted())
			.forEach((managed) -> doubted.put(managed.name(), managed.filter().probation().proof().doubt().end()));
		Map<String, String> behind = new LinkedHashMap<>();
		Instant now = Instant.now();
		this.filters.forEach((managed) -> {
			RowFeed changes = managed.changes();
			if (changes != null && changes.progress().behind(now).compareTo(BEHIND) >= 0) {
				behind.put(managed.name(), changes.progress().problem(now));
			}
		});
		builder.status((ready && falseNegatives.isEmpty() && doubted.isEmpty() && behind.isEmpty()) ? Status.UP
				: Status.UNKNOWN);
		this.filters.forEach((managed) -> builder.withDetail(managed.name(), managed.filter().state()));
		Map<String, String> reasons = new LinkedHashMap<>();
		this.filters.forEach((managed) -> {
			String reason = managed.filter().stateChange().reason();
			if (reason != null) {
				reasons.put(managed.name(), reason);
			}
		});
		if (!reasons.isEmpty()) {
			builder.withDetail("reasons", reasons);
		}
		if (!behind.isEmpty()) {
			builder.withDetail("changes", behind);
		}
		if (!doubted.isEmpty()) {
			builder.withDetail("beforeUntil", doubted);
		}
		if (!falseNegatives.isEmpty()) {
			builder.withDetail("falseNegatives", falseNegatives);
		}
	}

}
