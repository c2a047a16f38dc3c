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

package io.github.bloomguard.backend.redis.module;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.backend.redis.PrimaryCommands;
import io.github.bloomguard.backend.redis.RedisAccess;
import io.github.bloomguard.backend.redis.RedisKeys;
import io.github.bloomguard.filter.AddingLoad;
import io.github.bloomguard.filter.FilterLoad;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.StoredFilter;
import org.redisson.client.protocol.RedisCommands;

/**
 * Keeps each filter in one of the server's own. One that is not sealed expires unless it
 * is kept alive.
 */
final class ModuleFilterStore implements FilterStore {

	private static final int WRITE_RETRIES = 2;

	private final FilterKind kind;

	private final String keyPrefix;

	private final Duration readTimeout;

	private final PrimaryCommands reads;

	private final PrimaryCommands writes;

	ModuleFilterStore(FilterKind kind, RedisAccess redis, String keyPrefix, Duration readTimeout,
			Duration writeTimeout) {
		this.kind = kind;
		this.keyPrefix = keyPrefix;
		this.readTimeout = readTimeout;
		this.reads = redis.commands(readTimeout, 0);
		this.writes = redis.commands(writeTimeout, WRITE_RETRIES);
	}

	@Override
	public CompletableFuture<StoredFilter> create(GenerationId id, FilterSpecification specification) {
		return open(id, specification).create();
	}

	@Override
	public CompletableFuture<FilterLoad> load(GenerationId id, FilterSpecification specification, String prefix,
			long maxMemory) {
		ModuleStoredFilter filter = open(id, specification);
		return filter.create().thenApply((created) -> new AddingLoad(id, filter, prefix) {

			@Override
			public void keepAlive() {
				filter.keepAlive();
			}

		});
	}

	@Override
	public ModuleStoredFilter open(GenerationId id, FilterSpecification specification) {
		return new ModuleStoredFilter(this.kind, this.reads, this.writes, this.readTimeout, id, name(id),
				specification);
	}

	@Override
	public CompletableFuture<Void> delete(GenerationId id, FilterSpecification specification) {
		String key = name(id);
		return this.writes.send(key, RedisCommands.UNLINK, key).thenApply((count) -> null);
	}

	private String name(GenerationId id) {
		return new RedisKeys(this.keyPrefix, id.filter()).bits(id.id());
	}

}
