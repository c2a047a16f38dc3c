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

import org.jspecify.annotations.Nullable;

import org.springframework.cache.support.NullValue;
import org.springframework.dao.DataAccessException;
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
			for i = 2, #KEYS do
				if redis.call('EXISTS', KEYS[i]) == 1 then
					return 0
				end
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

	private static final byte[] REMOVE = script("return redis.call('DEL', KEYS[1])");

	private static final byte[] EXPIRE = script("return redis.call('PEXPIRE', KEYS[1], ARGV[1])");

	private static final byte[] REMAINING = script("return redis.call('PTTL', KEYS[1])");

	/**
	 * How many entries are removed at once. Takes Redis less than a millisecond.
	 */
	private static final int CHUNK = 200;

	private final Runner runner;

	private final CompanionKeys companions;

	/**
	 * Whether keys in different slots were refused. Written by whoever learns of it.
	 */
	private volatile boolean slotsMatter;

	/**
	 * Create scripts.
	 */
	EntryScripts(Runner runner, CompanionKeys companions) {
		this.runner = runner;
		this.companions = companions;
	}

	static boolean isNull(byte @Nullable [] value) {
		return Arrays.equals(value, NULL);
	}

	/**
	 * Store a null value if nothing is there and no null value is held off: one step, but
	 * for a cluster. What can't be asked there in the same step is asked after it:
	 * whoever holds null values off does so before it deletes, so either it deletes this
	 * one or it is seen here.
	 * @param makeRoom whether a value that is there is removed, because it is known to be
	 * outdated; a null value never takes its place at once
	 */
	boolean storeNull(String cache, byte[] key, Duration ttl, boolean makeRoom) {
		byte[] heldOff = this.companions.heldOff(key);
		byte[] cleared = this.companions.cleared(cache);
		Long stored = together(STORE_NULL, 3, key, heldOff, cleared, NULL, millis(ttl), flag(makeRoom));
		return (stored != null) ? stored == 1 : storeNullInSlots(key, heldOff, cleared, millis(ttl), flag(makeRoom));
	}

	private boolean storeNullInSlots(byte[] key, byte[] heldOff, byte[] cleared, byte[] ttl, byte[] makeRoom) {
		boolean sameSlot = this.companions.shareSlot(key);
		boolean stored = (sameSlot ? number(STORE_NULL, 2, key, heldOff, NULL, ttl, makeRoom)
				: number(STORE_NULL, 1, key, NULL, ttl, makeRoom)) == 1;
		if (stored && (exists(cleared) || (!sameSlot && exists(heldOff)))) {
			number(REMOVE_NULL, 1, key, NULL);
			return false;
		}
		return stored;
	}

	/**
	 * Store no null value for a key for some time.
	 */
	void holdOffNull(byte[] key, Duration time) {
		number(HOLD_OFF, 1, this.companions.heldOff(key), millis(time));
	}

	/**
	 * Store no null value in a cache for some time.
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
		for (int from = 0; from < entries.size(); from += CHUNK) {
			List<NullEntry> some = entries.subList(from, Math.min(from + CHUNK, entries.size()));
			if (together(REMOVE_NULLS, 2 * some.size(), keysAndArguments(some)) == null) {
				some.forEach(this::removeNull);
			}
		}
	}

	private byte[][] keysAndArguments(List<NullEntry> entries) {
		List<byte[]> keysAndArguments = new ArrayList<>();
		entries.forEach((entry) -> {
			keysAndArguments.add(entry.key());
			keysAndArguments.add(this.companions.heldOff(entry.key()));
		});
		keysAndArguments.add(NULL);
		entries.forEach((entry) -> keysAndArguments.add(millis(entry.heldOff())));
		return keysAndArguments.toArray(byte[][]::new);
	}

	private void removeNull(NullEntry entry) {
		if (this.companions.shareSlot(entry.key())) {
			number(REMOVE_NULLS, 2, keysAndArguments(List.of(entry)));
		}
		else {
			number(HOLD_OFF, 1, this.companions.heldOff(entry.key()), millis(entry.heldOff()));
			number(REMOVE_NULL, 1, entry.key(), NULL);
		}
	}

	/**
	 * Run a script with keys that may be in different slots of a cluster.
	 * @return what it returns, {@code null} if it can't be run there
	 */
	private @Nullable Long together(byte[] script, int keys, byte[]... keysAndArguments) {
		if (this.slotsMatter) {
			return null;
		}
		try {
			return number(script, keys, keysAndArguments);
		}
		catch (DataAccessException ex) {
			// CROSSSLOT, or what a driver says that looks at the slots itself
			if (String.valueOf(ex.getMostSpecificCause().getMessage()).contains("slot")) {
				this.slotsMatter = true;
				return null;
			}
			throw ex;
		}
	}

	/**
	 * Ask for the value of a key, or for the right to load it. One whose companions are
	 * in another slot may be loaded by each instance.
	 */
	Claim claim(byte[] key, byte[] token, Duration lease) {
		byte[] lock = this.companions.lock(key);
		byte[] reply = Objects.requireNonNull(this.companions.shareSlot(key)
				? this.runner.eval(CLAIM, ReturnType.VALUE, 2, key, lock, token, millis(lease))
				: this.runner.eval(CLAIM, ReturnType.VALUE, 1, key, token, millis(lease)));
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

	void remove(byte[] key) {
		number(REMOVE, 1, key);
	}

	void expire(byte[] key, Duration ttl) {
		number(EXPIRE, 1, key, millis(ttl));
	}

	/**
	 * Return how long an entry lives on.
	 * @return the milliseconds; negative if it never expires or isn't there
	 */
	long remainingMillis(byte[] key) {
		return number(REMAINING, 1, key);
	}

	private boolean exists(byte[] key) {
		return number(EXISTS, 1, key) == 1;
	}

	private long number(byte[] script, int keys, byte[]... keysAndArguments) {
		Long number = this.runner.eval(script, ReturnType.INTEGER, keys, keysAndArguments);
		return (number != null) ? number : 0;
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
	 * Runs a script and waits for it.
	 */
	@FunctionalInterface
	interface Runner {

		<T> @Nullable T eval(byte[] script, ReturnType type, int keys, byte[]... keysAndArguments);

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
