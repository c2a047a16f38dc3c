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

/**
 * A position in a change log. Positions of one log are ordered, as far as that is known;
 * those of two logs can't be compared: it is not even tried.
 */
public sealed interface LogPosition permits Checkpoint, FilePosition {

	String ANOTHER_LOG = "it is another log than the one that was followed";

	/**
	 * Return whether both are positions of one log.
	 */
	boolean isOfLogOf(LogPosition other);

	/**
	 * Return whether this position is certain to be at another one, or behind it.
	 * @throws LostLogException if that is one of another log
	 */
	boolean reaches(LogPosition other);

	/**
	 * Return what is stored of this position.
	 */
	Checkpoint checkpoint();

}
