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

import java.util.stream.Stream;

import io.github.bloomguard.feed.Checkpoint;

/**
 * Gives the keys of rows that came after a checkpoint.
 */
public interface CatchUpSource {

	/**
	 * Return a checkpoint that no row has passed which is not visible yet, as far as that
	 * can be known.
	 */
	Checkpoint start();

	/**
	 * Return any text that tells the database apart from another one with the same
	 * tables. May wait for it.
	 */
	String database();

	/**
	 * Return the keys of the rows after a checkpoint, in the order of their checkpoints.
	 * They are read once, by one thread; the stream is closed after use.
	 */
	Stream<CheckpointedKey> keysAfter(Checkpoint checkpoint);

}
