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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Store of the checkpoints of one filter: one for each of its generations, and lost with
 * them. Each method is one atomic step on the primary. It does not wait: its future
 * completes, perhaps exceptionally, within the store's deadline.
 */
public interface CheckpointStore {

	/**
	 * Set the checkpoint of a generation that is being built.
	 * @return whether the generation is still listed
	 */
	CompletableFuture<Boolean> start(String generation, Checkpoint checkpoint);

	/**
	 * Read the checkpoint of a generation.
	 */
	CompletableFuture<Optional<Checkpoint>> read(String generation);

	/**
	 * Move the checkpoint of a generation, unless another instance has moved it since.
	 * @return whether it was moved
	 */
	CompletableFuture<Boolean> move(String generation, Checkpoint from, Checkpoint to);

	/**
	 * Take the turn of catching up, of which there is one in each interval.
	 * @return zero if the turn was taken, otherwise the time until the next one
	 */
	CompletableFuture<Duration> takeTurn(Duration interval);

}
