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

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

import io.github.bloomguard.generation.Generation;
import io.github.bloomguard.generation.RecordWatch;
import io.github.bloomguard.lua.LuaFile;

/**
 * Looks at the records of all filters of one server by one script of few commands,
 * however many filters there are.
 * <p>
 * The record of each filter has a stamp: the epoch, which each step of a builder and each
 * switch raises; the last entry of the journal, which each add and removal moves on; the
 * server; and a number that grows with all else that readers have to know. In a cluster,
 * where no script reaches all records, each filter reads its own.
 */
final class RedisRecordWatch implements RecordWatch {

	private static final String WATCH = RunId.SCRIPT + LuaFile.read(RedisRecordWatch.class, "control/watch");

	/**
	 * Well below the interval at which each instance notes the use of its origin, which
	 * others rely on.
	 */
	private static final Duration NOTING = Duration.ofSeconds(45);

	private final RedisAccess redis;

	private final String keyPrefix;

	private final WriteScript writes;

	private final PrimaryCommands commands;

	/**
	 * When use was noted last, in milliseconds of the server's clock, by filters and
	 * origins.
	 */
	private final Map<String, Long> noted = new ConcurrentHashMap<>();

	/**
	 * Whether the server has refused to read all records by one command, so that it is
	 * not asked again: it would log each refusal. Replies write it, and only once.
	 */
	private volatile boolean refused;

	RedisRecordWatch(RedisAccess redis, String keyPrefix, WriteScript writes, Duration timeout) {
		this.redis = redis;
		this.keyPrefix = keyPrefix;
		this.writes = writes;
		this.commands = redis.commands(timeout, 1);
	}

	@Override
	public CompletableFuture<Sight> look(List<Watched> watched) {
		if (this.redis.isCluster()) {
			return NONE.look(watched);
		}
		List<Object> arguments = new ArrayList<>(
				List.of(this.keyPrefix, this.refused ? "separately" : "together", String.valueOf(watched.size())));
		List<Watched> noting = new ArrayList<>();
		for (Watched filter : watched) {
			boolean note = isToBeNoted(filter);
			if (note) {
				noting.add(filter);
			}
			List<String> bits = bits(filter.active());
			arguments.add(filter.filter());
			arguments.add(filter.record().stamp());
			arguments.add(note ? filter.origin() : "");
			arguments.add(String.valueOf(bits.size()));
			arguments.addAll(bits);
		}
		return this.commands.list(List.of(names(watched)), WATCH, arguments.toArray()).thenApply((reply) -> {
			this.refused |= reply.get(1).equals("1");
			Sight sight = new Sight(new HashSet<>(reply.subList(2, reply.size())), Long.parseLong(reply.get(0)));
			noting.stream()
				.filter((filter) -> sight.unchanged().contains(filter.filter()))
				.forEach((filter) -> this.noted.put(noted(filter), sight.now()));
			return sight;
		});
	}

	private boolean isToBeNoted(Watched filter) {
		Long last = this.noted.get(noted(filter));
		return last == null || Math.abs(filter.record().now() - last) >= NOTING.toMillis();
	}

	private static String noted(Watched filter) {
		return filter.filter() + ":" + filter.origin();
	}

	private List<String> bits(Generation generation) {
		RedisKeys keys = new RedisKeys(this.keyPrefix, generation.specification().filter());
		int shards = this.writes.shards(generation.specification());
		return (shards == 1) ? List.of(keys.bits(generation.id()))
				: IntStream.range(0, shards).mapToObj((shard) -> keys.bits(generation.id(), shard)).toList();
	}

	/**
	 * Return the name of the set of the names of some filters, one for each such set.
	 */
	private String names(List<Watched> watched) {
		String all = String.join(",", watched.stream().map(Watched::filter).sorted().toList());
		return this.keyPrefix + ":filters:" + UUID.nameUUIDFromBytes(all.getBytes(StandardCharsets.UTF_8));
	}

}
