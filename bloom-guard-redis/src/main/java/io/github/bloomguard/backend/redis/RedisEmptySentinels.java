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

import io.github.bloomguard.filter.FilterSettings;
import io.github.bloomguard.generation.Origin;
import io.github.bloomguard.lua.LuaFile;
import io.github.bloomguard.sentinel.EmptySentinels;

/**
 * Keeps the sentinels of a key in a hash, which each add deletes: a field for each scope,
 * whose value is the epoch in which it was written and counts. If the sorted set of the
 * keys added lately was lost, nothing is remembered until all adds that were in it have
 * been committed or done again.
 * <p>
 * Everything runs as a script that may write, so that Redisson asks the primary: a
 * replica might not have heard of an added key yet.
 */
final class RedisEmptySentinels implements EmptySentinels {

	private static final String CONTAINS = LuaFile.read(RedisEmptySentinels.class, "sentinel/contains");

	private static final String CONTAINS_ANY = LuaFile.read(RedisEmptySentinels.class, "sentinel/contains-any");

	private static final String REMEMBER = LuaFile.read(RedisEmptySentinels.class, "sentinel/remember");

	private final RedisKeys keys;

	private final FilterSettings.Adding adding;

	private final Origin origin;

	private final PrimaryCommands commands;

	RedisEmptySentinels(RedisAccess redis, RedisKeys keys, FilterSettings settings, Origin origin, Duration timeout) {
		this.keys = keys;
		this.adding = settings.adding();
		this.origin = origin;
		this.commands = redis.commands(timeout, 0);
	}

	@Override
	public CompletableFuture<Boolean> contains(String key, String scope) {
		return this.commands.test(List.of(this.keys.sentinel(key), this.keys.control()), CONTAINS, field(scope));
	}

	@Override
	public CompletableFuture<Boolean> containsAny(String key, String end) {
		return this.commands.test(List.of(this.keys.sentinel(key), this.keys.control()), CONTAINS_ANY, field(""), end);
	}

	@Override
	public CompletableFuture<Void> remember(String key, String scope, Duration ttl, long epoch) {
		List<String> names = List.of(this.keys.sentinel(key), this.keys.control(), this.keys.added());
		return this.commands
			.test(names, REMEMBER, field(scope), millis(ttl), String.valueOf(epoch),
					millis(this.adding.longestTransaction()), key, millis(this.adding.addedRetention()),
					String.valueOf(MAX_SCOPES))
			.thenApply((remembered) -> null);
	}

	/**
	 * Scopes of one name mean the same only where the keys have the same origin.
	 */
	private String field(String scope) {
		return "empty:" + this.origin.value() + ":" + scope;
	}

	private static String millis(Duration duration) {
		return String.valueOf(duration.toMillis());
	}

}
