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
 * How the deployment that brought an origin was, or is, rolled out. Until it is over,
 * older instances may insert rows whose keys they do not add, so that what was loaded
 * meanwhile is provisional. So may instances of another version with other keys: then it
 * is over when none has been seen for as long, and if that writes keys in another form,
 * not before it is gone, although both may add the keys of the same rows. Times are the
 * server's, in milliseconds.
 *
 * @param arrived when the first instance with the origin is known to have run
 * @param begun when the build of the active generation began
 * @param rival when a {@linkplain Origin#areRivals(String, String) rival} was seen last,
 * 0 if none was
 * @param returned since when instances with the origin have been seen without a gap, 0 if
 * that is not known
 * @param foreign when a rival was seen last that
 * {@linkplain Origin#writeOtherForms(String, String) writes keys in another form}, 0 if
 * none was
 */
public record Rollout(long arrived, long begun, long rival, long returned, long foreign) {

	public static final Rollout OVER = new Rollout(0, Long.MAX_VALUE);

	/**
	 * How long after it was seen an instance may still be running.
	 */
	public static final Duration UNSEEN = Duration.ofMinutes(2);

	public Rollout(long arrived, long begun) {
		this(arrived, begun, 0, 0, 0);
	}

	/**
	 * Return whether the active generation has all rows of others.
	 */
	public boolean isOver(Duration settle) {
		return this.begun - Math.max(this.arrived, rivalled(settle)) >= settle.toMillis();
	}

	public boolean isOverIn(Duration settle, long now, Duration running) {
		return now - rivalled(settle) >= settle.toMillis()
				&& (now - this.arrived >= settle.toMillis() || running.compareTo(settle) >= 0);
	}

	public Instant end(Duration settle) {
		return Instant.ofEpochMilli(Math.max(this.arrived, rivalled(settle))).plus(settle);
	}

	public boolean isRivalled(Duration settle) {
		return this.begun - rivalled(settle) < settle.toMillis();
	}

	/**
	 * Return whether there may be rows whose keys were added in another form.
	 */
	public boolean isRivalledInAnotherForm(Duration settle) {
		return this.begun - gone(this.foreign) < settle.toMillis();
	}

	/**
	 * Return since when there may be rows of rivals no more. If all that insert add the
	 * same keys, their end is not waited for, unless they write them in another form; but
	 * a version that comes back does not rely on what was loaded before they were there.
	 */
	private long rivalled(Duration settle) {
		return settle.isZero() ? Math.max(Math.min(gone(this.rival), this.returned), gone(this.foreign))
				: gone(this.rival);
	}

	private static long gone(long seen) {
		return (seen > 0) ? seen + ControlRecord.LEASE_ENDS.toMillis() : 0;
	}

	/**
	 * Return since when rivals know of instances with this origin, 0 without rivals.
	 */
	long knownToRivals(long now) {
		return (this.rival > 0 && now - this.rival < UNSEEN.toMillis()) ? this.returned : 0;
	}

}
