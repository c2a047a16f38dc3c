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

package io.github.bloomguard.instance;

import java.time.Duration;

import io.github.bloomguard.FilterMode;
import io.github.bloomguard.generation.ControlRecord;
import io.github.bloomguard.generation.ModeSwitch;
import io.github.bloomguard.generation.MonotonicClock;
import io.github.bloomguard.logging.LogFields;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * The mode of one filter: what is configured, unless the control record has another one.
 * While Redis does not answer, what was read last counts.
 * <p>
 * Concurrency: only refreshes write, of which there is one at a time unless one hangs.
 */
final class EffectiveMode {

	private static final Log logger = LogFactory.getLog(GenerationalFilter.class);

	private static final Duration REMINDER = Duration.ofHours(1);

	private final String filter;

	private final FilterMode configured;

	private final MonotonicClock clock;

	private final Remembered<ModeSwitch> remembered = new Remembered<>();

	private volatile @Nullable FilterMode given;

	private long remindedAt;

	EffectiveMode(String filter, FilterMode configured, MonotonicClock clock) {
		this.filter = filter;
		this.configured = configured;
		this.clock = clock;
	}

	FilterMode mode() {
		FilterMode given = this.given;
		if (given != null) {
			return given;
		}
		ModeSwitch switched = switched();
		return (switched != null) ? switched.mode() : this.configured;
	}

	@Nullable ModeSwitch switched() {
		return this.remembered.value();
	}

	/**
	 * Take what a record says.
	 * @return the switch that it has lost, {@code null} if it has lost none
	 */
	@Nullable ModeSwitch read(ControlRecord record) {
		ModeSwitch before = switched();
		this.remembered.read(record.created(), record.switched());
		ModeSwitch now = switched();
		if (now != null) {
			sayIfDue(now, !now.equals(before));
		}
		else if (before != null) {
			LogFields.withFilter(this.filter, () -> logger.info(LogMessage
				.format("The filter '%s' has its configured mode again: %s", this.filter, this.configured)));
		}
		return this.remembered.lost();
	}

	/**
	 * Take the mode that another application gives to its filter.
	 */
	void give(FilterMode mode) {
		FilterMode before = mode();
		this.given = mode;
		if (mode != before) {
			LogFields.withFilter(this.filter,
					() -> logger.info(LogMessage
						.format("The mode of the filter '%s' is %s: the more careful one of its owner's and of this"
								+ " application's", this.filter, mode)));
		}
	}

	private void sayIfDue(ModeSwitch now, boolean changed) {
		long time = this.clock.nanoTime();
		if (changed || time - this.remindedAt >= REMINDER.toNanos()) {
			this.remindedAt = time;
			LogFields.withFilter(this.filter, () -> logger.warn(LogMessage.format(
					"The mode of the filter '%s' is %s since %s, as %s has switched it at run time%s; configured is"
							+ " %s, which counts again when the switch is taken back",
					this.filter, now.mode(), now.at(), (now.by() != null) ? now.by() : "somebody",
					now.everywhere() ? " in all applications" : "", this.configured)));
		}
	}

}
