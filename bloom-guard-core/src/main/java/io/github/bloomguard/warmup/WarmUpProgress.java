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

package io.github.bloomguard.warmup;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * Progress of the warm-up of a filter in this instance.
 *
 * @param loaded how many keys have been loaded by the present or last run
 * @param total about how many there are
 * @param position the place of the filter among those that wait to be loaded by this
 * instance, from 1 on; {@code null} if it does not wait for others
 */
public record WarmUpProgress(Status status, long loaded, @Nullable Long total, @Nullable Instant startedAt,
		@Nullable Duration duration, @Nullable String error, @Nullable Integer position) {

	/**
	 * Phase of a warm-up.
	 */
	public enum Status {

		/**
		 * Nothing was asked for, or an intact generation was found.
		 */
		IDLE,

		RUNNING,

		/**
		 * Another instance loads the filter, or this one loads others first.
		 */
		WAITING,

		/**
		 * The last attempt failed, another one follows.
		 */
		FAILED,

		COMPLETED

	}

	/**
	 * Return the progress of a filter that waits behind others.
	 */
	WarmUpProgress waiting(int position) {
		return new WarmUpProgress(Status.WAITING, this.loaded, this.total, this.startedAt, this.duration, this.error,
				position);
	}

}
