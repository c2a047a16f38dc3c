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
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.bloomguard.backend.FilterBackend;
import io.github.bloomguard.feed.CheckpointStore;
import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.generation.RecordWatch;
import io.github.bloomguard.sentinel.EmptySentinels;

import org.springframework.util.function.SingletonSupplier;

/**
 * Keeps filters in Redis, where all instances of an application share them.
 *
 * @since 1.0.0
 */
public final class RedisBackend implements FilterBackend {

	public static final String TYPE = "redis";

	private static final Duration CONTROL_TIMEOUT = Duration.ofSeconds(1);

	private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(3);

	private final Supplier<RedisAccess> redis;

	private final String keyPrefix;

	private final Duration timeout;

	private final WriteScript writes;

	private final Supplier<RedisMirrorChannels> mirrors;

	private final Supplier<RecordWatch> watch;

	public RedisBackend(Supplier<RedisAccess> redis, String keyPrefix, Duration timeout) {
		this(redis, keyPrefix, timeout, new BitWrites());
	}

	public RedisBackend(Supplier<RedisAccess> redis, String keyPrefix, Duration timeout, WriteScript writes) {
		this.redis = redis;
		this.writes = writes;
		this.keyPrefix = keyPrefix;
		this.timeout = timeout;
		this.mirrors = SingletonSupplier.of(() -> new RedisMirrorChannels(redis.get(), keyPrefix));
		this.watch = SingletonSupplier.of(() -> new RedisRecordWatch(redis.get(), keyPrefix, writes, CONTROL_TIMEOUT));
	}

	@Override
	public String type() {
		return TYPE;
	}

	@Override
	public FilterStore filters() {
		return new RedisFilterStore(this.redis.get(), this.keyPrefix, this.timeout, WRITE_TIMEOUT);
	}

	@Override
	public ControlStore control(FilterSettings settings, Origin origin) {
		return new RedisControlStore(this.redis.get(), keys(settings), settings, origin, this.mirrors.get(),
				this.writes, CONTROL_TIMEOUT, this.watch.get());
	}

	@Override
	public EmptySentinels sentinels(FilterSettings settings, Origin origin) {
		return new RedisEmptySentinels(this.redis.get(), keys(settings), settings, origin, this.timeout);
	}

	@Override
	public CheckpointStore checkpoints(FilterSettings settings, Origin origin) {
		return new RedisCheckpointStore(this.redis.get(), keys(settings), origin, CONTROL_TIMEOUT);
	}

	/**
	 * Check that the server has the commands that filters need, and that the user may run
	 * them; exceptionally with a {@link MissingCommandsException} if it has not.
	 */
	public CompletableFuture<Void> checkCommands(String filter) {
		return new RedisRights(this.redis.get().commands(CONTROL_TIMEOUT, 0),
				new RedisKeys(this.keyPrefix, filter).control(), this.writes)
			.check();
	}

	private RedisKeys keys(FilterSettings settings) {
		return new RedisKeys(this.keyPrefix, settings.name());
	}

}
