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

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

import io.github.bloomguard.catchup.Claims.Claim;
import io.github.bloomguard.feed.FeedProgress;
import io.github.bloomguard.feed.FeedStatus;
import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.logging.FailureDescription;
import io.github.bloomguard.logging.ThrottledLog;
import org.jspecify.annotations.Nullable;

import org.springframework.core.log.LogMessage;

/**
 * What this instance sees of a feed: whether it works, and how far behind it is.
 * <p>
 * Concurrency: one thread follows, another one at a time inspects.
 */
final class FeedWatch {

	/**
	 * How long a checkpoint may be behind what was released.
	 */
	private static final Duration OUTRUN = Duration.ofSeconds(10);

	/**
	 * Bytes of the log that may be behind the feed without counting as behind.
	 */
	private static final long NEAR = 1 << 20;

	private static final String TAKEN = "another application of this name follows the change log for another Redis:"
			+ " give one of them another bloom-guard.application";

	private final ThrottledLog failures = new ThrottledLog(ChangeFeed.class);

	private final String filter;

	private final Supplier<ChangeLog> log;

	private final Claims claims;

	private final BiConsumer<Generation, String> gaps;

	private volatile @Nullable FeedStatus status;

	private volatile @Nullable Instant behindSince;

	private volatile @Nullable String error;

	/**
	 * The instance that follows the log for another Redis, {@code null} if none is known.
	 */
	private volatile @Nullable String rival;

	/**
	 * A claim that was behind what was released, and since when. Only inspections use it.
	 */
	private Claim outrun = Claim.NONE;

	private long outrunSince;

	FeedWatch(String filter, Supplier<ChangeLog> log, Claims claims, BiConsumer<Generation, String> gaps) {
		this.filter = filter;
		this.log = log;
		this.claims = claims;
		this.gaps = gaps;
	}

	void inspect(@Nullable Generation active, @Nullable Follower follower) {
		if (follower != null) {
			follower.release(active);
		}
		FeedStatus status = this.log.get().status(this.claims.latest(active).position());
		this.status = status;
		if (status == null || !Objects.equals(this.rival, status.follower())) {
			this.rival = null;
		}
		if (isNear(status)) {
			this.behindSince = null;
		}
		else {
			fallBehind();
		}
		if (status != null && follower != null) {
			follower.check(status);
		}
		else if (status != null && active != null) {
			checkClaim(active, status);
		}
	}

	private boolean isNear(@Nullable FeedStatus status) {
		return (status != null) ? status.follower() != null && status.lag() < NEAR : this.error == null;
	}

	private void fallBehind() {
		if (this.behindSince == null) {
			this.behindSince = Instant.now();
		}
	}

	/**
	 * Look for a log that is another one, or was released past this filter, as another
	 * deployment with another Redis would. The checkpoint of a generation that has just
	 * become active may still be moved.
	 * @param status read before the claim is
	 */
	private void checkClaim(Generation active, FeedStatus status) {
		Claim claim = this.claims.read(active);
		if (claim.covers(status.released())) {
			this.outrun = Claim.NONE;
			this.rival = null;
		}
		else if (!this.outrun.equals(claim)) {
			this.outrun = claim;
			this.outrunSince = System.nanoTime();
		}
		else if (System.nanoTime() - this.outrunSince > OUTRUN.toNanos()) {
			this.rival = claim.position().isOfLogOf(status.released()) ? status.follower() : null;
			this.gaps.accept(active, (this.rival != null) ? TAKEN : ChangeFeed.LACKING);
		}
	}

	/**
	 * Fail while the log is followed for another Redis: what is loaded would have a gap
	 * again.
	 */
	void requireOwn() {
		if (this.rival != null) {
			throw new IllegalStateException(TAKEN);
		}
	}

	/**
	 * Note that another instance may follow, as far as the database tells.
	 */
	void leave() {
		FeedStatus status = this.status;
		if (status != null && status.follower() != null) {
			succeed();
		}
	}

	void succeed() {
		if (this.error != null) {
			this.error = null;
			this.failures.over(LogMessage.format("The change feed of the filter '%s' works again", this.filter));
		}
	}

	void fail(Throwable failure, Duration pause) {
		fallBehind();
		this.error = FailureDescription.of(failure);
		this.failures.warn(LogMessage.format("The change feed of the filter '%s' failed, trying again in %s ms",
				this.filter, pause.toMillis()), failure);
	}

	String logName() {
		FeedStatus status = this.status;
		return (status != null) ? status.name() : "not known";
	}

	FeedProgress progress(boolean following, @Nullable Generation active, long added, long removed) {
		Claim claim = this.claims.latest(active);
		return new FeedProgress(following, this.status,
				claim.isKnown() ? claim.position().checkpoint().value().toString() : null, this.behindSince, added,
				removed, this.error);
	}

}
