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
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import org.springframework.cache.support.NullValue;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.RedisClusterConnection;
import org.springframework.data.redis.connection.RedisConnection;
import org.springframework.data.redis.connection.RedisConnectionFactory;
import org.springframework.data.redis.connection.RedisScriptingCommands;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.serializer.RedisSerializer;

/**
 * What has to be done atomically with an entry and its {@link CompanionKeys companions}.
 * All of it are scripts, which run on the primary whatever the driver does with reads.
 */
final class EntryScripts {

	/**
	 * How a {@code RedisCache} writes a null value, whatever its value serializer.
	 */
	static final byte[] NULL = Objects.requireNonNull(RedisSerializer.java().serialize(NullValue.INSTANCE));

	private static final byte[] HOLD_OFF = script("return redis.call('SET', KEYS[1], '', 'PX', ARGV[1]) and 1");

	private static final byte[] STORE_NULL = script("""
			if ARGV[3] == '1' then
				local present = redis.call('GET', KEYS[1])
				if present and present ~= ARGV[1] then
					redis.call('DEL', KEYS[1])
					return 0
				end
			end
			if KEYS[2] and redis.call('EXISTS', KEYS[2]) == 1 then
				return 0
			end
			return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) and 1 or 0
			""");

	private static final byte[] REMOVE_NULL = script("""
			if redis.call('GET', KEYS[1]) == ARGV[1] then
				return redis.call('DEL', KEYS[1])
			end
			return 0
			""");

	/**
	 * The keys are pairs of an entry and what holds it off.
	 */
	private static final byte[] REMOVE_NULLS = script("""
			for i = 1, #KEYS, 2 do
				redis.call('SET', KEYS[i + 1], '', 'PX', ARGV[(i + 3) / 2])
				if redis.call('GET', KEYS[i]) == ARGV[1] then
					redis.call('DEL', KEYS[i])
				end
			end
			return 1
			""");

	private static final byte[] CLAIM = script("""
			local value = redis.call('GET', KEYS[1])
			if value then
				return 'v' .. value
			end
			if not KEYS[2] then
				return 'c'
			end
			return redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2]) and 'c' or 'b'
			""");

	private static final byte[] LOCK = script(
			"return redis.call('SET', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) and 1 or 0");

	private static final byte[] UNLOCK = script("""
			if redis.call('GET', KEYS[1]) == ARGV[1] then
				return redis.call('DEL', KEYS[1])
			end
			return 0
			""");

	private static final byte[] EXISTS = script("return redis.call('EXISTS', KEYS[1])");

	private static final byte[] EXPIRE = script("return redis.call('PEXPIRE', KEYS[1], ARGV[1])");

	private static final byte[] REMAINING = script("return redis.call('PTTL', KEYS[1])");

	/**
	 * How many entries are removed at once. Takes Redis less than a millisecond.
	 */
	private static final int CHUNK = 200;

	private final RedisConnectionFactory connectionFactory;

	private final CompanionKeys companions;

	private final Caller caller;

	/**
	 * Whether keys in different slots were refused. Written by whoever learns of it.
	 */
	private volatile boolean slotsMatter;

	/**
	 * Create scripts.
	 * @param connectionFactory connects to Redis
	 * @param companions names the keys that the scripts add
	 * @param caller runs each script within the time that a caller may be held
	 */
	EntryScripts(RedisConnectionFactory connectionFactory, CompanionKeys companions, Caller caller) {
		this.connectionFactory = connectionFactory;
		this.companions = companions;
		this.caller = caller;
	}

	static boolean isNull(byte @Nullable [] value) {
		return Arrays.equals(value, NULL);
	}

	/**
	 * Store a null value if nothing is there and no null value is held off. What can't be
	 * asked in the same step is asked after it: whoever holds null values off does so
	 * before it deletes, so either it deletes this one or it is seen here.
	 * @param cache the name of the cache
	 * @param key the key
	 * @param ttl the time to live
	 * @param makeRoom whether a value that is there is removed, because it is known to be
	 * outdated; a null value never takes its place at once
	 * @return whether it is stored
	 */
	boolean storeNull(String cache, byte[] key, Duration ttl, boolean makeRoom) {
		boolean oneStep = this.companions.shareSlot(key);
		byte[] heldOff = this.companions.heldOff(key);
		boolean stored = (oneStep ? number(STORE_NULL, 2, key, heldOff, NULL, millis(ttl), flag(makeRoom))
				: number(STORE_NULL, 1, key, NULL, millis(ttl), flag(makeRoom))) == 1;
		if (stored && (exists(this.companions.cleared(cache)) || (!oneStep && exists(heldOff)))) {
			number(REMOVE_NULL, 1, key, NULL);
			return false;
		}
		return stored;
	}

	/**
	 * Store no null value for a key for some time.
	 * @param key the key
	 * @param time how long
	 */
	void holdOffNull(byte[] key, Duration time) {
		number(HOLD_OFF, 1, this.companions.heldOff(key), millis(time));
	}

	/**
	 * Store no null value in a cache for some time.
	 * @param cache the name of the cache
	 * @param time how long
	 */
	void holdOffNulls(String cache, Duration time) {
		number(HOLD_OFF, 1, this.companions.cleared(cache), millis(time));
	}

	/**
	 * Remove null values, and store none for some time. One round trip, but for a cluster
	 * one or two for each.
	 * @param entries the entries that may be null
	 */
	void removeNulls(List<NullEntry> entries) {
		execute((connection) -> {
			boolean together = !(this.slotsMatter || connection instanceof RedisClusterConnection);
			for (int from = 0; together && from < entries.size(); from += CHUNK) {
				together = removeTogether(connection, entries.subList(from, Math.min(from + CHUNK, entries.size())));
			}
			if (!together) {
				this.slotsMatter = true;
				entries.forEach((entry) -> removeNull(connection, entry));
			}
			return null;
		});
	}

	/**
	 * Remove null values in one step.
	 * @return whether that is possible; not on one node of a cluster
	 */
	private boolean removeTogether(RedisConnection connection, List<NullEntry> entries) {
		List<byte[]> keysAndArguments = new ArrayList<>();
		entries.forEach((entry) -> {
			keysAndArguments.add(entry.key());
			keysAndArguments.add(this.companions.heldOff(entry.key()));
		});
		int keys = keysAndArguments.size();
		keysAndArguments.add(NULL);
		entries.forEach((entry) -> keysAndArguments.add(millis(entry.heldOff())));
		try {
			connection.scriptingCommands()
				.eval(REMOVE_NULLS, ReturnType.INTEGER, keys, keysAndArguments.toArray(byte[][]::new));
			return true;
		}
		catch (DataAccessException ex) {
			if (String.valueOf(ex.getMostSpecificCause().getMessage()).contains("CROSSSLOT")) {
				return false;
			}
			throw ex;
		}
	}

	private void removeNull(RedisConnection connection, NullEntry entry) {
		byte[] heldOff = this.companions.heldOff(entry.key());
		if (this.companions.shareSlot(entry.key())) {
			removeTogether(connection, List.of(entry));
		}
		else {
			RedisScriptingCommands scripts = connection.scriptingCommands();
			scripts.eval(HOLD_OFF, ReturnType.INTEGER, 1, heldOff, millis(entry.heldOff()));
			scripts.eval(REMOVE_NULL, ReturnType.INTEGER, 1, entry.key(), NULL);
		}
	}

	/**
	 * Ask for the value of a key, or for the right to load it. One whose companions are
	 * in another slot may be loaded by each instance.
	 * @param key the key
	 * @param token identifies the one who asks
	 * @param lease how long nobody else is given the right
	 * @return what was given
	 */
	Claim claim(byte[] key, byte[] token, Duration lease) {
		byte[] lock = this.companions.lock(key);
		byte[] reply = Objects.requireNonNull(execute((connection) -> this.companions.shareSlot(key)
				? connection.scriptingCommands().eval(CLAIM, ReturnType.VALUE, 2, key, lock, token, millis(lease))
				: connection.scriptingCommands().eval(CLAIM, ReturnType.VALUE, 1, key, token, millis(lease))));
		return switch (reply[0]) {
			case 'v' -> new Claim(Arrays.copyOfRange(reply, 1, reply.length), false);
			case 'c' -> new Claim(null, true);
			default -> new Claim(null, false);
		};
	}

	boolean lock(byte[] key, byte[] token, Duration lease) {
		return number(LOCK, 1, this.companions.lock(key), token, millis(lease)) == 1;
	}

	void unlock(byte[] key, byte[] token) {
		number(UNLOCK, 1, this.companions.lock(key), token);
	}

	void expire(byte[] key, Duration ttl) {
		number(EXPIRE, 1, key, millis(ttl));
	}

	/**
	 * Return how long an entry lives on.
	 * @param key the key
	 * @return the milliseconds; negative if it never expires or isn't there
	 */
	long remainingMillis(byte[] key) {
		return number(REMAINING, 1, key);
	}

	private boolean exists(byte[] key) {
		return number(EXISTS, 1, key) == 1;
	}

	private long number(byte[] script, int keys, byte[]... keysAndArguments) {
		Long number = execute((connection) -> connection.scriptingCommands()
			.eval(script, ReturnType.INTEGER, keys, keysAndArguments));
		return (number != null) ? number : 0;
	}

	private <T> @Nullable T execute(Function<RedisConnection, @Nullable T> callback) {
		return this.caller.call(() -> {
			try (RedisConnection connection = this.connectionFactory.getConnection()) {
				return callback.apply(connection);
			}
		});
	}

	private static byte[] millis(Duration duration) {
		return Long.toString(Math.max(1, duration.toMillis())).getBytes(StandardCharsets.US_ASCII);
	}

	private static byte[] flag(boolean value) {
		return new byte[] { (byte) (value ? '1' : '0') };
	}

	private static byte[] script(String lua) {
		return lua.getBytes(StandardCharsets.UTF_8);
	}

	/**
	 * Runs commands and waits for them, though not for long.
	 */
	@FunctionalInterface
	interface Caller {

		<T extends @Nullable Object> T call(Supplier<T> commands);

	}

	/**
	 * An entry whose null value is removed.
	 *
	 * @param key its key in Redis
	 * @param heldOff how long no null value is stored
	 */
	record NullEntry(byte[] key, Duration heldOff) {

	}

	/**
	 * The answer to one who asked for a value or for the right to load it.
	 *
	 * @param value the value, if there is one
	 * @param granted whether the right was given; if neither, somebody else loads
	 */
	record Claim(byte @Nullable [] value, boolean granted) {

	}

}
