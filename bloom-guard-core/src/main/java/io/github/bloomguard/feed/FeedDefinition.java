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
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

import io.github.bloomguard.instance.GenerationalFilter;
import org.jspecify.annotations.Nullable;

/**
 * How rows that others write are found.
 *
 * @param origin what tells the keys apart from those of another configuration
 * @param database tells their database apart from others, and may wait for it;
 * {@code null} if the sources of the filter tell
 * @param longestWait how long an absent answer may wait for them
 * @param longestVerification how long it may take to find out whether one was wrong
 */
public record FeedDefinition(List<String> origin, @Nullable Supplier<String> database, Duration longestWait,
		Duration longestVerification, Opener opener) {

	/**
	 * Makes the feed of a filter.
	 */
	@FunctionalInterface
	public interface Opener {

		/**
		 * @param checkpoints where its claims are stored
		 * @param executor has a thread at any time, which may be blocked
		 */
		RowFeed open(GenerationalFilter filter, CheckpointStore checkpoints, Executor executor);

	}

}
