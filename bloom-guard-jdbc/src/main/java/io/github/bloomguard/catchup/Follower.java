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

package io.github.bloomguard.catchup;

import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

import io.github.bloomguard.catchup.Claims.Claim;
import io.github.bloomguard.feed.FeedStatus;
import io.github.bloomguard.feed.LogPosition;
import io.github.bloomguard.generation.Generation;
import org.jspecify.annotations.Nullable;

/**
 * Claims what one reader has read, and only then releases the log.
 * <p>
 * Concurrency: one thread follows, another one inspects; the one that moves the
 * checkpoint holds the lock. What is read has been applied by the time
 * {@link ChangeReader#next} waits.
 */
final class Follower {

	private final ChangeReader reader;

	private final Claims claims;

	private final Consumer<Generation> gaps;

	private final ReentrantLock lock = new ReentrantLock();

	/**
	 * Whether all that the filter lacks is behind where the reader began. Once that holds
	 * for a generation, it holds for those that are begun after it.
	 */
	private boolean complete;

	/**
	 * Up to where the keys of all changes were added. Most readers report a position
	 * once, so it is claimed again for each generation that becomes active.
	 */
	private @Nullable LogPosition applied;

	Follower(ChangeReader reader, Claims claims, Consumer<Generation> gaps) {
		this.reader = reader;
		this.claims = claims;
		this.gaps = gaps;
	}

	/**
	 * A log that has not come to the claim yet was restored to an earlier state.
	 */
	void begin(Generation active, ChangeLog log) {
		LogPosition known = read(active).position();
		LogPosition mark = this.complete ? log.mark(known) : null;
		this.complete = this.complete && (mark == null || mark.reaches(known));
		if (!this.complete) {
			this.gaps.accept(active);
		}
	}

	/**
	 * Go on where the log has nothing for this feed, so that it is released.
	 */
	void release(@Nullable Generation active) {
		if (active == null) {
			close();
			return;
		}
		advance(active, this.reader.idle());
	}

	void check(FeedStatus status) {
		if (!this.reader.identity().equals(status.follower()) || !this.reader.start().isOfLogOf(status.released())) {
			close();
		}
	}

	void close() {
		this.reader.close();
	}

	/**
	 * Claim what was read up to a position, once all of it is in the filter.
	 */
	void advance(Generation active, @Nullable LogPosition position) {
		this.lock.lock();
		try {
			if (position != null && (this.applied == null || !this.applied.reaches(position))) {
				this.applied = position;
			}
			if (this.applied != null) {
				move(active, this.applied);
			}
		}
		finally {
			this.lock.unlock();
		}
	}

	private void move(Generation active, LogPosition position) {
		Claim known = this.claims.latest(active);
		if (!this.complete || known.equals(Claim.NONE)) {
			known = read(active);
		}
		if (!this.complete || !position.isOfLogOf(known.position())) {
			this.gaps.accept(active);
		}
		else if (known.covers(position) || this.claims.move(known, position)) {
			this.reader.release(position);
		}
	}

	private Claim read(Generation active) {
		Claim read = this.claims.read(active);
		this.complete = read.position().isOfLogOf(this.reader.start())
				&& (this.complete || this.reader.reads(read.position()));
		return read;
	}

}
