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

package io.github.bloomguard.cache;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

import org.springframework.data.redis.cache.BatchStrategy;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisKeyCommands;

/**
 * Clears a cache as Spring does by default, but leaves the guard's own keys alone: the
 * entries of a cache without key prefix are all keys of the database.
 */
final class GuardSparingStrategy implements BatchStrategy {

	private final byte[] ownPrefix;

	GuardSparingStrategy(String keyPrefix) {
		this.ownPrefix = (keyPrefix + ":").getBytes(StandardCharsets.UTF_8);
	}

	@Override
	public long cleanCache(RedisConnection connection, String name, byte[] pattern) {
		RedisKeyCommands commands = connection.keyCommands();
		boolean meansOwn = isOwn(pattern);
		byte[][] keys = commands.keys(pattern).stream().filter((key) -> meansOwn || !isOwn(key)).toArray(byte[][]::new);
		if (keys.length > 0) {
			commands.del(keys);
		}
		return keys.length;
	}

	private boolean isOwn(byte[] key) {
		int length = this.ownPrefix.length;
		return key.length >= length && Arrays.equals(key, 0, length, this.ownPrefix, 0, length);
	}

}
