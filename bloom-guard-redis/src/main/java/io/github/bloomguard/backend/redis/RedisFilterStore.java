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
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.filter.FilterLoad;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.StoredFilter;
import io.github.bloomguard.lua.LuaFile;
import org.redisson.client.protocol.RedisCommands;

/**
 * Keeps each filter where a {@code RBloomFilter} with the string codec finds it, whatever
 * codec the client has, and a large one in several strings. One that is not sealed
 * expires unless it is kept alive.
 */
public final class RedisFilterStore implements FilterStore {

	private static final Duration LOAD_TIMEOUT = Duration.ofSeconds(30);

	private static final int WRITE_RETRIES = 2;

	private static final String CONFIGURE = LuaFile.read(RedisFilterStore.class, "bits/configure");

	private final RedisAccess redis;

	private final String keyPrefix;

	private final Duration readTimeout;

	private final PrimaryCommands reads;

	private final PrimaryCommands writes;

	public RedisFilterStore(RedisAccess redis, String keyPrefix, Duration readTimeout, Duration writeTimeout) {
		this.redis = redis;
		this.keyPrefix = keyPrefix;
		this.readTimeout = readTimeout;
		this.reads = redis.commands(readTimeout, 0);
		this.writes = redis.commands(writeTimeout, WRITE_RETRIES);
	}

	@Override
	public FilterSpecification withRoom(FilterSpecification configured) {
		return configured.crowded(BloomLayout.crowding(configured.hashes()));
	}

	@Override
	public CompletableFuture<StoredFilter> create(GenerationId id, FilterSpecification specification) {
		RedisStoredFilter filter = open(id, specification);
		return prepare(filter, specification).thenCompose((nothing) -> filter.create());
	}

	@Override
	public CompletableFuture<FilterLoad> load(GenerationId id, FilterSpecification specification, String prefix,
			long maxMemory) {
		// each write is sent once: one that was taken for lost and comes after it was
		// sent again would undo what has been added meanwhile
		PrimaryCommands commands = this.redis.commands(LOAD_TIMEOUT, 0);
		RedisStoredFilter filter = open(id, specification);
		return prepare(filter, specification)
			.thenApply((nothing) -> new RedisFilterLoad(filter, prefix, commands, maxMemory));
	}

	@Override
	public RedisStoredFilter open(GenerationId id, FilterSpecification specification) {
		Shards shards = Shards.of(specification);
		List<BitString> strings = names(shards, id).stream()
			.map((name) -> new BitString(this.redis.replicationIds(), this.reads, this.writes, this.readTimeout, name,
					shards.layout()))
			.toList();
		return new RedisStoredFilter(this.writes, id, shards, strings, !this.redis.isCluster());
	}

	/**
	 * Write what a {@code RBloomFilter} needs to read the filter, and no bits; it can't
	 * read one that is divided. Nothing can be added before the string is there with its
	 * word.
	 */
	private CompletableFuture<Void> prepare(RedisStoredFilter filter, FilterSpecification specification) {
		if (filter.shards().count() > 1) {
			return filter.isMissing()
				.thenCompose((missing) -> missing ? CompletableFuture.completedFuture(null)
						: RedisStoredFilter.nameInUse(filter.id()));
		}
		BloomLayout layout = filter.shards().layout();
		List<String> names = BitString.names(filter.strings().get(0).name(), layout);
		return this.writes
			.test(names, CONFIGURE, layout.bits(), layout.hashFunctions(), specification.expectedInsertions(),
					specification.falsePositiveProbability())
			.thenCompose((configured) -> configured ? filter.keepAlive() : RedisStoredFilter.nameInUse(filter.id()));
	}

	@Override
	public CompletableFuture<Void> delete(GenerationId id, FilterSpecification specification) {
		Shards shards = Shards.of(specification);
		return CompletableFuture.allOf(names(shards, id).stream()
			.map((name) -> unlink(BitString.names(name, shards.layout())))
			.toArray(CompletableFuture<?>[]::new));
	}

	private CompletableFuture<Long> unlink(List<String> names) {
		Object[] keys = names.toArray();
		return this.writes.send((String) keys[0], RedisCommands.UNLINK, keys);
	}

	private List<String> names(Shards shards, GenerationId id) {
		return shards.names(new RedisKeys(this.keyPrefix, id.filter()), id.id());
	}

}
