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

package io.github.bloomguard.backend.redis;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.feed.Checkpoint;
import io.github.bloomguard.feed.CheckpointStore;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.lua.LuaFile;

/**
 * Keeps the checkpoint of each generation in the filter's control record, in the field
 * {@code m:<id>} beside {@code g:<id>}, so that no eviction, flush or deletion leaves the
 * one without the other. The turn is a string with a time to live.
 */
final class RedisCheckpointStore implements CheckpointStore {

	private static final String FUNCTIONS = script("checkpoint/functions");

	private static final String START = FUNCTIONS + script("checkpoint/start");

	private static final String READ = FUNCTIONS + script("checkpoint/read");

	private static final String MOVE = FUNCTIONS + script("checkpoint/move");

	private static final String TAKE_TURN = FUNCTIONS + script("checkpoint/take-turn");

	private final RedisKeys keys;

	private final Origin origin;

	private final PrimaryCommands commands;

	RedisCheckpointStore(RedisAccess redis, RedisKeys keys, Origin origin, Duration timeout) {
		this.keys = keys;
		this.origin = origin;
		this.commands = redis.commands(timeout, 1);
	}

	private static String script(String name) {
		return LuaFile.read(RedisCheckpointStore.class, name);
	}

	private List<String> names() {
		return List.of(this.keys.control(), this.keys.catchUp(this.origin.value()));
	}

	@Override
	public CompletableFuture<Boolean> start(String generation, Checkpoint checkpoint) {
		return this.commands.test(names(), START, generation, checkpoint.format());
	}

	@Override
	public CompletableFuture<Optional<Checkpoint>> read(String generation) {
		return this.commands.text(names(), READ, generation)
			.thenApply((text) -> Optional.ofNullable(text).flatMap(Checkpoint::parse));
	}

	@Override
	public CompletableFuture<Boolean> move(String generation, Checkpoint from, Checkpoint to) {
		return this.commands.test(names(), MOVE, generation, from.format(), to.format());
	}

	@Override
	public CompletableFuture<Duration> takeTurn(Duration interval) {
		return this.commands.count(names(), TAKE_TURN, String.valueOf(Math.max(interval.toMillis(), 1)))
			.thenApply(Duration::ofMillis);
	}

}
