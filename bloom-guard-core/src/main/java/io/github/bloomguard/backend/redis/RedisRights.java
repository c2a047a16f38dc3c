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

import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.circuit.RedisRefusedException;

/**
 * Makes sure that the user of a connection may run all commands that the guard needs. A
 * script that runs one it may not fails with a half of its work done, and Redis does not
 * say which one it was. {@code given} becomes {@code true} once and stays so.
 */
final class RedisRights {

	/**
	 * Tries each command on a key that is gone afterwards. Returns the names of those
	 * that the user may not run, with a dash before those that the server does not have.
	 */
	private static final String TRY = """
			local key, missing = KEYS[1], {}
			local function try(name, ...)
			  local reply = redis.pcall(string.match(name, '^[^|]+'), ...)
			  if type(reply) ~= 'table' or not reply.err then return end
			  if string.find(reply.err, 'permission') or string.find(reply.err, "can't run this command") then
			    missing[#missing + 1] = name
			  elseif string.find(reply.err, 'Unknown Redis command') then
			    missing[#missing + 1] = '-' .. name
			  end
			end
			try('time') try('info', 'server') try('type', key) try('exists', key)
			try('hset', key, 'f', '1') try('hget', key, 'f') try('hmget', key, 'f') try('hexists', key, 'f')
			try('hkeys', key) try('hgetall', key) try('hincrby', key, 'n', '1') try('hdel', key, 'f')
			try('unlink', key)
			try('xadd', key, '1-0', 'f', '1') try('xrange', key, '-', '+', 'COUNT', '1')
			try('xrevrange', key, '+', '-', 'COUNT', '1')
			try('memory|usage', 'usage', key)
			try('del', key)
			try('zadd', key, '1', 'm') try('zscore', key, 'm') try('zremrangebyscore', key, '-inf', '+inf')
			try('set', key, '1') try('get', key) try('pexpire', key, '1000') try('persist', key) try('pttl', key)
			try('setrange', key, '0', '1') try('getrange', key, '0', '0') try('strlen', key)
			try('setbit', key, '0', '1') try('bitcount', key, '0', '0') try('bitfield_ro', key, 'GET', 'u1', '0')
			redis.pcall('unlink', key)
			""";

	private static final String RESULT = """

			redis.pcall('unlink', key)
			return missing
			""";

	private static final String MISSING = "-";

	private final PrimaryCommands commands;

	private final List<String> scratch;

	private final String script;

	private volatile boolean given;

	RedisRights(PrimaryCommands commands, String name, WriteScript writes) {
		this.commands = commands;
		this.scratch = List.of(name + ":rights");
		this.script = TRY + writes.trials() + RESULT;
	}

	CompletableFuture<Void> check() {
		return this.given ? CompletableFuture.completedFuture(null)
				: this.commands.list(this.scratch, this.script).thenCompose((missing) -> {
					if (missing.isEmpty()) {
						this.given = true;
						return CompletableFuture.completedFuture(null);
					}
					return CompletableFuture.failedFuture(refusal(missing));
				});
	}

	private static RuntimeException refusal(List<String> missing) {
		List<String> unknown = missing.stream()
			.filter((name) -> name.startsWith(MISSING))
			.map((name) -> name.substring(MISSING.length()).toUpperCase(Locale.ROOT))
			.toList();
		return unknown.isEmpty()
				? new RedisRefusedException(
						"the user of the guard's connection may not run " + String.join(", ", missing))
				: new MissingCommandsException(unknown);
	}

}
