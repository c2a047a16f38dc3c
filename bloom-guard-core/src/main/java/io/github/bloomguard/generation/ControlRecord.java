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
import java.util.List;

import org.jspecify.annotations.Nullable;

/**
 * Snapshot of what all instances of an application agree on about one filter. Times are
 * in milliseconds of the server's clock.
 *
 * @param epoch grows with each change, also across the loss of the record; 0 if there is
 * no record
 * @param generations those of all origins
 * @param trust how far the filter of the reader's origin is believed
 * @param sameServer whether the server is the one that has had every write since
 * {@code journalSince}; another one may lack writes that were acknowledged
 * @param journalSince since when the add journal is complete; 0 if there is no journal
 * @param created when the record came into being, or to another server; an instance may
 * answer by an older record for {@link #LEASE} after that
 * @param removed how many keys were removed since the active generation of the reader's
 * origin became live
 * @param switched what its application was switched to, {@code null} if to nothing
 * @param owned for a reader, what is known of the origins of the application that it
 * asks; empty for all others
 * @param readers how many instances of applications that only ask have a mirror
 * @param stamp tells what was read from all that can be read later, but for the time;
 * empty if its store has none. Only the store knows the form
 */
public record ControlRecord(long epoch, List<Generation> generations, Trust trust, boolean sameServer,
		long journalSince, JournalPosition journalEnd, long now, long created, long removed,
		@Nullable ModeSwitch switched, List<OwnerOrigin> owned, int readers, String stamp) {

	/**
	 * How long the lease is under which an instance answers by the record that it has
	 * read.
	 */
	public static final Duration LEASE = Duration.ofSeconds(2);

	/**
	 * How long an add takes at most that does not look at the record again, from before
	 * its keys are sent. A builder waits for it, too, after a loss of the journal.
	 */
	public static final Duration PROMPT = Duration.ofMillis(100);

	/**
	 * How long it takes until all leases have ended of what was read elsewhere.
	 */
	public static final Duration LEASE_ENDS = LEASE.plusSeconds(1);

	public ControlRecord(long epoch, List<Generation> generations, Trust trust, boolean sameServer, long journalSince,
			JournalPosition journalEnd, long now, long created, long removed, @Nullable ModeSwitch switched) {
		this(epoch, generations, trust, sameServer, journalSince, journalEnd, now, created, removed, switched,
				List.of(), 0);
	}

	public ControlRecord(long epoch, List<Generation> generations, Trust trust, boolean sameServer, long journalSince,
			JournalPosition journalEnd, long now, long created, long removed, @Nullable ModeSwitch switched,
			List<OwnerOrigin> owned, int readers) {
		this(epoch, generations, trust, sameServer, journalSince, journalEnd, now, created, removed, switched, owned,
				readers, "");
	}

	/**
	 * Return the same record, as it was still there at a later time.
	 */
	public ControlRecord seenAt(long now) {
		return new ControlRecord(this.epoch, this.generations, this.trust, this.sameServer, this.journalSince,
				this.journalEnd, now, this.created, this.removed, this.switched, this.owned, this.readers, this.stamp);
	}

	public @Nullable Generation active(String origin) {
		return this.generations.stream().filter((generation) -> generation.isActive(origin)).findFirst().orElse(null);
	}

	public List<Generation> live() {
		return this.generations.stream().filter(Generation::isLive).toList();
	}

	public boolean lists(Generation generation) {
		return this.generations.stream().anyMatch((listed) -> listed.id().equals(generation.id()));
	}

	/**
	 * Return how long it takes until all leases have ended of a record that was lost
	 * before this one, or one that does not list instances of the reader's origin, beside
	 * which a rival must not answer. Zero if the record has been there for a while. If
	 * the clock was set back, it is not known for how long.
	 */
	public Duration leasesEndIn() {
		long passed = Math.max(this.now - Math.max(this.created, this.trust.rollout().knownToRivals(this.now)), 0);
		return (passed >= LEASE_ENDS.toMillis()) ? Duration.ZERO : LEASE_ENDS.minusMillis(passed);
	}

}
