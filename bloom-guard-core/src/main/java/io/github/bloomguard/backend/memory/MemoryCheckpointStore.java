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

package io.github.bloomguard.backend.memory;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.feed.Checkpoint;
import io.github.bloomguard.feed.CheckpointStore;
import io.github.bloomguard.generation.Origin;

/**
 * Keeps checkpoints beside the record that lists their generation.
 */
record MemoryCheckpointStore(FilterMemory memory, Origin origin) implements CheckpointStore {

	private static final Duration SHORTEST = Duration.ofMillis(1);

	@Override
	public CompletableFuture<Boolean> start(String generation, Checkpoint checkpoint) {
		return this.memory.step((now) -> {
			if (!this.memory.record().lists(generation)) {
				return false;
			}
			this.memory.record().setCheckpoint(generation, checkpoint);
			return true;
		});
	}

	@Override
	public CompletableFuture<Optional<Checkpoint>> read(String generation) {
		return this.memory.step((now) -> this.memory.record().checkpoint(generation));
	}

	@Override
	public CompletableFuture<Boolean> move(String generation, Checkpoint from, Checkpoint to) {
		return this.memory.step((now) -> {
			Optional<Checkpoint> present = this.memory.record().checkpoint(generation);
			if (present.filter(from::equals).isPresent()) {
				this.memory.record().setCheckpoint(generation, to);
				return true;
			}
			return present.filter(to::equals).isPresent();
		});
	}

	@Override
	public CompletableFuture<Duration> takeTurn(Duration interval) {
		Duration turn = (interval.compareTo(SHORTEST) > 0) ? interval : SHORTEST;
		return this.memory.step((now) -> Duration
			.ofMillis(this.memory.turn(this.origin.value()).take(UUID.randomUUID().toString(), turn, now)));
	}

}
