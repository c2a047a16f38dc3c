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

/**
 * Reads a change log. Used by one thread at a time, if nothing else is said.
 *
 * @since 1.0.0
 */
public interface ChangeReader extends AutoCloseable {

	/**
	 * Return where reading has begun.
	 * @return the position; nothing before it is read
	 */
	long start();

	/**
	 * Wait for changes.
	 * @return some changes
	 * @throws InterruptedException if the thread is interrupted
	 */
	Changes next() throws InterruptedException;

	/**
	 * Return up to where all changes have been read, as far as {@link #next} waits and
	 * has returned all of them. May be called by other threads.
	 * @return the position, 0 if it does not wait
	 */
	long idle();

	/**
	 * Allow the database to forget what is before a position.
	 * @param position the position
	 */
	void release(long position);

	/**
	 * Return what {@link FeedStatus#follower()} is as long as the database takes this for
	 * the one reader.
	 * @return what the database knows of it
	 */
	String identity();

	/**
	 * Let {@link #next} fail, and another instance read. May be called by other threads.
	 */
	@Override
	void close();

	/**
	 * Some changes.
	 *
	 * @param added keys of rows that were inserted, or whose key has changed; a list is
	 * one key of several columns
	 * @param removed keys of rows that were deleted, or whose key was another one before
	 * @param position up to where all changes have been read with these, 0 if they end
	 * within a transaction
	 * @param age for how many milliseconds at most all of them had been committed
	 */
	record Changes(List<?> added, List<?> removed, long position, long age) {

	}

}
