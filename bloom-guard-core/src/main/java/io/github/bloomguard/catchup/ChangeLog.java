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

import java.util.Optional;

import io.github.bloomguard.InvalidGuardException;

/**
 * The change log of a database, as far as it concerns one table. Each method may wait for
 * the database, and throws an unchecked exception if that fails.
 */
public interface ChangeLog extends AutoCloseable {

	/**
	 * Check that the log can be followed, as far as the database tells.
	 * @throws InvalidGuardException if the configuration or the database must be changed
	 * first
	 */
	void check();

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
	 * Make sure that all that is visible now is in the log before the returned position,
	 * and is read without delay.
	 * @param reached a position that readers are known to have reached
	 */
	LogPosition mark(LogPosition reached);

	FeedStatus status(LogPosition reached);

	@Override
	void close();

}
