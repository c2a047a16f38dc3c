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

import java.util.List;

import io.github.bloomguard.feed.FeedStatus;
import io.github.bloomguard.feed.LogPosition;
import io.github.bloomguard.feed.LostLogException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a change log. Used by one thread at a time unless noted.
 */
public interface ChangeReader extends AutoCloseable {

	/**
	 * Return where reading has begun.
	 */
	LogPosition start();

	/**
	 * Return whether all that is behind a position of the same log is read.
	 */
	default boolean reads(LogPosition position) {
		return position.reaches(start());
	}

	/**
	 * Wait for changes.
	 * @return may be empty after a while, {@code null} if the turn of this reader is over
	 * @throws LostLogException if what comes next can't be read. Then the log begins
	 * behind that for who follows next
	 */
	@Nullable Changes next() throws InterruptedException;

	/**
	 * Return up to where all changes have been read and returned. May be called by other
	 * threads.
	 * @return {@code null} if {@link #next} does not wait, or reports positions itself
	 */
	default @Nullable LogPosition idle() {
		return null;
	}

	/**
	 * Allow the database to forget what is before a position.
	 */
	default void release(LogPosition position) {
	}

	/**
	 * Return what {@link FeedStatus#follower()} is as long as this reader has the turn.
	 */
	default String identity() {
		return "";
	}

	/**
	 * Let {@link #next} fail, and another instance read. May be called by other threads.
	 */
	@Override
	void close();

	/**
	 * Changes that were read together.
	 *
	 * @param added keys of rows that were inserted or updated; a list is one key of
	 * several columns
	 * @param removed keys of rows that were deleted, or whose key was another one before
	 * @param position up to where all changes have been read with these, {@code null} if
	 * they end within a transaction
	 * @param since a time at or before the commit of the first removal, as of
	 * {@link System#nanoTime()}
	 */
	record Changes(List<?> added, List<?> removed, @Nullable LogPosition position, long since) {

	}

}
