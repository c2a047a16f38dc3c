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

import java.time.Duration;
import java.time.ZonedDateTime;

import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.Occupancy;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.instance.FillLevel.Measurement;

import org.springframework.scheduling.support.CronExpression;

/**
 * Decides when a generation that is intact is to be followed by another one: by its age,
 * because it is too full, or because too much of it was removed.
 */
record RebuildPolicy(FilterSettings.Building settings) {

	boolean isDue(Generation active, Measurement fill, long removed, ZonedDateTime now) {
		return isPast(active.createdAt().atZone(now.getZone()), now) || (active.equals(fill.generation())
				&& (isOverfull(active.specification(), fill.occupancy()) || isOutworn(fill.occupancy(), removed)));
	}

	private boolean isPast(ZonedDateTime created, ZonedDateTime now) {
		Duration interval = this.settings.interval();
		if (interval != null && created.plus(interval).isBefore(now)) {
			return true;
		}
		String cron = this.settings.cron();
		ZonedDateTime next = (cron != null) ? CronExpression.parse(cron).next(created) : null;
		return next != null && next.isBefore(now);
	}

	/**
	 * A generation that holds no more keys than it was made for would be followed by one
	 * of the same size, again and again.
	 */
	private boolean isOverfull(FilterSpecification size, Occupancy occupancy) {
		double limit = this.settings.maxFalsePositiveFactor() * size.falsePositiveProbability();
		return (occupancy.crowded() || (limit > 0 && occupancy.falsePositiveProbability() > limit))
				&& occupancy.insertions() > size.expectedInsertions()
				&& size.expectedInsertions() < size.maxInsertions();
	}

	private boolean isOutworn(Occupancy occupancy, long removed) {
		double ratio = this.settings.maxRemovedRatio();
		return ratio > 0 && removed > 0 && removed > ratio * occupancy.insertions();
	}

}
