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
import java.util.Optional;

import io.github.bloomguard.InvalidGuardException;
import io.github.bloomguard.feed.Checkpoint;
import io.github.bloomguard.feed.FeedStatus;
import io.github.bloomguard.feed.FilePosition;
import io.github.bloomguard.feed.LogPosition;
import org.jspecify.annotations.Nullable;

/**
 * The change log of a database, as far as it concerns one table. Each method may wait for
 * the database, and throws an unchecked exception if that fails.
 */
public interface ChangeLog extends AutoCloseable {

	/**
	 * How long to wait before a log is followed again, if it does not tell.
	 */
	Duration PAUSE = Duration.ofSeconds(1);

	/**
	 * Check that the log can be followed, as far as the database tells.
	 * @throws InvalidGuardException if the configuration or the database must be changed
	 * first
	 */
	default void check() {
	}

	/**
	 * Have the log kept from now on for this feed, if it is not yet.
	 * @return a position that is before each row whose transaction is not visible yet
	 */
	LogPosition begin();

	/**
	 * Return the position that was stored as a checkpoint, one of no log if it has
	 * another form.
	 */
	default LogPosition position(Checkpoint checkpoint) {
		return FilePosition.of(checkpoint);
	}

	/**
	 * Follow the log from where the feed has come to. The database lets one instance at a
	 * time do so; one that is dead or frozen for a few seconds loses its place.
	 * @param reached where the feed has come to, ignored by a database that keeps that
	 * itself
	 * @return a reader, which starts later if the log is gone that would be read; empty
	 * if another instance follows
	 */
	Optional<ChangeReader> follow(LogPosition reached);

	/**
	 * Return after which time it is of use to try to follow again.
	 */
	default Duration pause() {
		return PAUSE;
	}

	/**
	 * Make sure that all that is visible now is in the log before the returned position,
	 * and is read without delay.
	 * @param reached a position that readers are known to have reached
	 * @return {@code null} if the log does not tell what is visible
	 */
	default @Nullable LogPosition mark(LogPosition reached) {
		return null;
	}

	/**
	 * Return how the database keeps the log, {@code null} if it knows nothing of it.
	 */
	default @Nullable FeedStatus status(LogPosition reached) {
		return null;
	}

	@Override
	default void close() {
	}

}
