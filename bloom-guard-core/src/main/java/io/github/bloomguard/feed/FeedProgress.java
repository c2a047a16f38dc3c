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

package io.github.bloomguard.feed;

import java.time.Duration;
import java.time.Instant;

import org.jspecify.annotations.Nullable;

/**
 * How far the change feed of a filter has come, as this instance sees it.
 *
 * @param following whether this instance follows, or had the last turn
 * @param status {@code null} before the first inspection, and for a log that the database
 * does not keep
 * @param position up to where the filter is known to have all keys
 * @param behindSince since when the feed has failed, is not near the end of the log, or
 * has no follower; {@code null} if it is near
 * @param added how many keys this instance has added since it started
 * @param removed how many keys of deleted rows it has handed to removal
 */
public record FeedProgress(boolean following, @Nullable FeedStatus status, @Nullable String position,
		@Nullable Instant behindSince, long added, long removed, @Nullable String error) {

	public Duration behind(Instant now) {
		return (this.behindSince != null) ? Duration.between(this.behindSince, now) : Duration.ZERO;
	}

	public String problem(Instant now) {
		String lag = (this.status != null)
				? "'" + this.status.name() + "' is " + this.status.lag() + " bytes behind"
						+ ((this.status.retained() > 0) ? ", for which the database keeps " + this.status.retained()
								: "")
						+ ((this.status.follower() != null) ? "" : ", and no instance follows")
				: "rows that others write are not known";
		return lag + ", for " + behind(now).toSeconds() + " s" + ((this.error != null) ? ": " + this.error : "");
	}

}
