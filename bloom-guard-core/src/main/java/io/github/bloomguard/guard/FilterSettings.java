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
import java.util.List;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.Occupancy;
import io.github.bloomguard.generation.FillLevel.Measurement;
import io.github.bloomguard.generation.Generation;
import org.jspecify.annotations.Nullable;

import org.springframework.scheduling.support.CronExpression;

/**
 * How one filter is used.
 *
 * @param specification the name and the size
 * @param mode what is done with its answers
 * @param emptyTtl how long a key that was not found is remembered, zero for not at all
 * @param maxConcurrentLoads how many calls may load at the same time while the filter
 * can't tell, 0 for any number
 * @param adding how keys are added
 * @param building when generations are built
 * @param verification how it is found out whether the filter is right
 * @since 1.0.0
 */
public record FilterSettings(FilterSpecification specification, FilterMode mode, Duration emptyTtl,
		int maxConcurrentLoads, Adding adding, Building building, Verification verification) {

	/**
	 * Return the name of the filter.
	 * @return the name
	 */
	public String name() {
		return this.specification.filter();
	}

	/**
	 * How keys are added.
	 *
	 * @param timeout the longest wait for an answer, after which adding has failed
	 * @param longest the longest time that adding takes, with what else it waits for
	 * @param longestTransaction the longest time between adding a key and committing its
	 * row
	 * @param failure what happens then
	 * @param caches the names of the Spring caches whose null entries an added key must
	 * clear
	 */
	public record Adding(Duration timeout, Duration longest, Duration longestTransaction, AddFailure failure,
			List<String> caches) {

	}

	/**
	 * When generations are built. Whether one is to be replaced is derived from itself,
	 * so the instances of an application agree without talking to each other.
	 *
	 * @param onStartup when keys are loaded at the start of the application
	 * @param blocking whether the application is not ready before the filter is
	 * @param cron a generation is replaced at each of these times
	 * @param interval a generation is replaced at this age
	 * @param maxFalsePositiveFactor a generation is replaced, by a larger one, when the
	 * estimated probability of a false positive exceeds this multiple of the configured
	 * one; 0 for never, unless it would soon take no more keys
	 * @param maxRemovedRatio a generation is replaced when so large a share of its keys
	 * has been removed; 0 for never
	 */
	public record Building(OnStartup onStartup, boolean blocking, @Nullable CronExpression cron,
			@Nullable Duration interval, double maxFalsePositiveFactor, double maxRemovedRatio) {

		/**
		 * Return whether a generation is to be replaced.
		 * @param active the generation
		 * @param fill its latest measurement
		 * @param removed how many of its keys have been removed
		 * @param now the time
		 */
		boolean isRebuildDue(Generation active, Measurement fill, long removed, ZonedDateTime now) {
			ZonedDateTime created = active.createdAt().atZone(now.getZone());
			return isPast(created, now) || isOverfull(active, fill) || isOutworn(active, fill, removed);
		}

		private boolean isOutworn(Generation active, Measurement fill, long removed) {
			return this.maxRemovedRatio > 0 && removed > 0 && active.equals(fill.generation())
					&& removed > this.maxRemovedRatio * fill.occupancy().insertions();
		}

		private boolean isPast(ZonedDateTime created, ZonedDateTime now) {
			if (this.interval != null && created.plus(this.interval).isBefore(now)) {
				return true;
			}
			ZonedDateTime next = (this.cron != null) ? this.cron.next(created) : null;
			return next != null && next.isBefore(now);
		}

		/**
		 * Return whether the next generation would be larger and is to be. One that holds
		 * no more keys than it was made for would be followed by one of the same size,
		 * again and again.
		 */
		private boolean isOverfull(Generation active, Measurement fill) {
			FilterSpecification size = active.specification();
			double limit = this.maxFalsePositiveFactor * size.falsePositiveProbability();
			Occupancy occupancy = fill.occupancy();
			return active.equals(fill.generation())
					&& (occupancy.crowded() || (limit > 0 && occupancy.falsePositiveProbability() > limit))
					&& occupancy.insertions() > size.expectedInsertions()
					&& size.expectedInsertions() < size.maxInsertions();
		}

	}

	/**
	 * How it is found out whether a filter is right.
	 *
	 * @param provingCalls how many keys that it calls absent have to be looked for and
	 * not found before it is believed, 0 if it is believed at once
	 * @param grace for how long a row may be there before its key is
	 * @param auditSampleRate the share of definite misses for which the method is called
	 * all the same
	 */
	public record Verification(int provingCalls, Duration grace, double auditSampleRate) {

	}

	/**
	 * What happens if a key can't be added.
	 */
	public enum AddFailure {

		/**
		 * The call that adds it fails, and with it the transaction.
		 */
		FAIL,

		/**
		 * The call goes on, and the filter is not trusted until it has been rebuilt. Only
		 * this instance knows as long as Redis can't be reached.
		 */
		MISTRUST

	}

	/**
	 * When keys are loaded at the start of the application.
	 */
	public enum OnStartup {

		/**
		 * If there is no intact generation of the configured size.
		 */
		IF_MISSING,

		/**
		 * Each time; an intact generation answers until the new one is complete.
		 */
		ALWAYS,

		/**
		 * Only when it is asked for, or when the filter has been lost.
		 */
		NEVER

	}

}
