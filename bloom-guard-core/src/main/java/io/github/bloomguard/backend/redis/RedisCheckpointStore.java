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

import io.github.bloomguard.catchup.Checkpoint;
import io.github.bloomguard.catchup.CheckpointStore;
import io.github.bloomguard.generation.Origin;

/**
 * Keeps the checkpoint of each generation in the filter's control record, in the field
 * {@code m:<id>} beside {@code g:<id>}, so that no eviction, flush or deletion leaves the
 * one without the other. The turn is a string with a time to live.
 */
final class RedisCheckpointStore implements CheckpointStore {

	private static final String PRELUDE = """
			local control, turn = KEYS[1], KEYS[2]
			local function is(key, kind)
			  return redis.call('type', key).ok == kind
			end
			local function checkpoint(id)
			  return is(control, 'hash') and redis.call('hget', control, 'm:' .. id)
			end
			""";

	private static final String START = PRELUDE + """
			if not is(control, 'hash') or redis.call('hexists', control, 'g:' .. ARGV[1]) == 0 then return 0 end
			redis.call('hset', control, 'm:' .. ARGV[1], ARGV[2])
			return 1
			""";

	private static final String READ = PRELUDE + "return checkpoint(ARGV[1])";

	/**
	 * May be repeated, because a reply may be lost.
	 */
	private static final String MOVE = PRELUDE + """
			local present = checkpoint(ARGV[1])
			if present == ARGV[3] then return 1 end
			if not present or present ~= ARGV[2] then return 0 end
			redis.call('hset', control, 'm:' .. ARGV[1], ARGV[3])
			return 1
			""";

	private static final String TAKE_TURN = PRELUDE + """
			if not is(turn, 'string') or redis.call('pttl', turn) < 0 then redis.call('del', turn) end
			if redis.call('set', turn, '', 'NX', 'PX', ARGV[1]) then return 0 end
			return math.max(redis.call('pttl', turn), 1)
			""";

	private final RedisKeys keys;

	private final Origin origin;

	private final PrimaryCommands commands;

	RedisCheckpointStore(RedisAccess redis, RedisKeys keys, Origin origin, Duration timeout) {
		this.keys = keys;
		this.origin = origin;
		this.commands = redis.commands(timeout, 1);
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
			.thenApply((text) -> Optional.ofNullable(text).map(Checkpoint::parse));
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
