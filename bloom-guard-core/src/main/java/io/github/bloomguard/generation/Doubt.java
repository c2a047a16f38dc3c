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

import java.time.Duration;
import java.time.Instant;

/**
 * What is known of keys that filters of one origin called absent and that were found. For
 * a while after each of them, absent answers are looked up before they are given, and a
 * filter that has called one absent is loaded again. Times are the server's, in
 * milliseconds.
 *
 * @param wrong how many different keys there were
 * @param since when the first one was found of those that followed within
 * {@link #LASTING} of each other
 * @param at when the last one was found, 0 if none was since that was acknowledged
 * @param callersOnly when a caller last found a row that no source has, 0 if none did
 */
public record Doubt(long wrong, long since, long at, long callersOnly) {

	public static final Doubt NONE = new Doubt(0, 0, 0, 0);

	/**
	 * How long a filter is believed less.
	 */
	public static final Duration LASTING = Duration.ofMinutes(10);

	private static final Duration LONGEST_PAUSE = Duration.ofHours(1);

	public boolean isLasting(long now) {
		return this.at > 0 && now - this.at < LASTING.toMillis();
	}

	/**
	 * Return whether callers are believed to see rows that the sources do not.
	 */
	public boolean isCallersOnly(long now) {
		return this.callersOnly > 0 && now - this.callersOnly < LASTING.toMillis();
	}

	/**
	 * Return until when a filter is believed less.
	 * @param later when something was found that is not noted here yet, 0 if nothing was
	 */
	public Instant end(long later) {
		return Instant.ofEpochMilli(Math.max(later, Math.max(this.at, this.callersOnly))).plus(LASTING);
	}

	/**
	 * Return whether the last of the keys was found since a build began, and so in what
	 * it has built.
	 */
	boolean isSince(long begun) {
		return this.at > begun;
	}

	/**
	 * Return whether to load the keys again. The pause since the last time is as long as
	 * the filter had been wrong then, so it doubles for as long as that does not help.
	 * @param begun when the build of the active generation began
	 */
	public boolean isReloadDue(long begun, long now) {
		return isSince(begun) && now - begun >= Math.min(begun - this.since, LONGEST_PAUSE.toMillis());
	}

	/**
	 * Return the doubt after an operator has acknowledged it, which ends it.
	 */
	public Doubt acknowledged() {
		return new Doubt(this.wrong, this.since, 0, this.callersOnly);
	}

	/**
	 * Return whether an operator has acknowledged a doubt, of which this is the next one
	 * that was read.
	 */
	public boolean acknowledges(Doubt former) {
		return former.at > 0 && this.at == 0 && this.wrong >= former.wrong;
	}

	/**
	 * Return the doubt after a caller has found a row that no source has.
	 */
	public Doubt callersOnlyAt(long now) {
		return new Doubt(this.wrong, this.since, this.at, now);
	}

	/**
	 * Return the doubt after more keys were found.
	 */
	public Doubt and(long more, long now) {
		return new Doubt(this.wrong + more, isLasting(now) ? this.since : now, now, this.callersOnly);
	}

}
