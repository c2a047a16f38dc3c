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
import java.util.stream.Stream;

import io.github.bloomguard.cache.client.LuaScript;
import io.github.bloomguard.lua.LuaFile;
import org.jspecify.annotations.Nullable;

import org.springframework.cache.support.NullValue;
import org.springframework.dao.DataAccessException;
import org.springframework.data.redis.connection.ReturnType;
import org.springframework.data.redis.serializer.RedisSerializer;

/**
 * Scripts for an entry and its {@link CompanionKeys companions}. Each is atomic and runs
 * on the primary.
 */
final class EntryScripts {

	/**
	 * How a {@code RedisCache} writes a null value, whatever its value serializer.
	 */
	static final byte[] NULL = Objects.requireNonNull(RedisSerializer.java().serialize(NullValue.INSTANCE));

	private static final LuaScript INVALIDATE = script("invalidate");

	private static final LuaScript REPLACE = script("replace");

	private static final LuaScript STORE = script("store");

	private static final LuaScript STORE_NULL = script("store-null");

	private static final LuaScript REMOVE_IF_STILL = script("remove-if-still");

	private static final LuaScript REMOVE_NULLS = script("remove-nulls");

	private static final LuaScript MISS = script("miss");

	private static final LuaScript GIVE_BACK = script("give-back");

	private static final LuaScript CLOSES_CYCLE = script("closes-cycle");

	private static final LuaScript TOKEN = script("token");

	private static final LuaScript IS_VALID = script("is-valid");

	private static final LuaScript EXISTS = script("exists");

	private static final LuaScript REMOVE = script("remove");

	private static final LuaScript KEEP = script("keep");

	private static final LuaScript EXPIRE = script("expire");

	private static final LuaScript REMAINING = script("remaining");

	private static final Duration LONGEST_LOAD = Duration.ofMinutes(1);

	/**
	 * Longer than a chain pauses before it asks again.
	 */
	private static final Duration AWAITED = Duration.ofSeconds(1);

	private static final Duration EPOCH = Duration.ofDays(1);

	private final Runner runner;

	private final CompanionKeys companions;

	/**
	 * Whether keys in different slots were refused. Written by the first to learn of it.
	 */
	private volatile boolean slotsMatter;

	EntryScripts(Runner runner, CompanionKeys companions) {
		this.runner = runner;
		this.companions = companions;
	}

	private static LuaScript script(String name) {
		return LuaScript.of(LuaFile.read(EntryScripts.class, name));
	}

	static boolean isNull(byte @Nullable [] value) {
		return Arrays.equals(value, NULL);
	}

	Miss miss(EntryKey entry, CacheRules rules) {
		return ask(entry, rules, "miss", null);
	}

	/**
	 * Ask for a value, or for the right to load it. If companions are in another slot,
	 * each instance may load.
	 */
	Miss claim(EntryKey entry, CacheRules rules, byte[] owner) {
		return ask(entry, rules, "claim", owner);
	}

	Miss claimAgain(EntryKey entry, CacheRules rules, byte[] owner) {
		return ask(entry, rules, "refresh", owner);
	}

	/**
	 * Tell all instances for whose right to load a chain of loads waits.
	 * @param awaited who has the right
	 * @return whether that one waits for this chain, by itself or others
	 */
	boolean closesCycle(LoadChain chain, byte[] awaited) {
		byte[] prefix = this.companions.awaited();
		byte[] key = Arrays.copyOf(prefix, prefix.length + chain.asOwner().length);
		System.arraycopy(chain.asOwner(), 0, key, prefix.length, chain.asOwner().length);
		return number(CLOSES_CYCLE, List.of(key), join(List.of(awaited, millis(AWAITED), prefix), chain.owners())) == 1;
	}

	@Nullable LoadToken token(EntryKey entry, CacheRules rules) {
		return ask(entry, rules, "refresh", null).token();
	}

	/**
	 * Give back what loads hold that have ended and store nothing. An entry's own token
	 * is deleted with its last holder. One round trip, but for a cluster one for each.
	 */
	void giveBack(List<HeldToken> tokens) {
		if (together(GIVE_BACK, tokens.stream().map((token) -> this.companions.load(token.key())).toList(),
				tokens.stream().map(HeldToken::token).toList()) == null) {
			tokens.forEach(
					(token) -> number(GIVE_BACK, List.of(this.companions.load(token.key())), List.of(token.token())));
		}
	}

	/**
	 * Return the token of loads that are told none. There is none on a cluster, where
	 * what evicts can't delete it in the same step.
	 * @throws DataAccessException on a cluster, too
	 */
	LoadToken epoch() {
		byte[] key = this.companions.epoch();
		return LoadToken.ofEpoch(key,
				value(TOKEN, join(List.of(key), this.companions.apart()), List.of(LoadToken.random(), millis(EPOCH))));
	}

	private Miss ask(EntryKey entry, CacheRules rules, String why, byte @Nullable [] owner) {
		byte[] key = entry.key();
		List<byte[]> keys = new ArrayList<>(List.of(key));
		byte[] life = millis(longer(LONGEST_LOAD, rules.loads().lease()));
		byte[] random = LoadToken.random();
		List<byte[]> arguments = new ArrayList<>(List.of(random, life, ascii(why)));
		if (owner != null) {
			keys.add(this.companions.lock(key));
			arguments.add(owner);
			arguments.add(millis(rules.loads().lease()));
		}
		if (!rules.evictWins()) {
			return ask(key, keys, arguments, null);
		}
		keys.add(this.companions.load(key));
		byte[] ofCache = this.companions.loads(entry.cache());
		byte[] reply = together(MISS, with(keys, ofCache), arguments);
		if (reply != null) {
			return Miss.of(reply, ofCache);
		}
		Miss miss = ask(key, keys, arguments, this.companions.shareSlot(key) ? ofCache : null);
		return (miss.token() != null)
				? miss.with(miss.token().withCache(value(TOKEN, List.of(ofCache), List.of(random, life)))) : miss;
	}

	private Miss ask(byte[] key, List<byte[]> keys, List<byte[]> arguments, byte @Nullable [] ofCache) {
		return this.companions.shareSlot(key) ? Miss.of(value(MISS, keys, arguments), ofCache)
				: Miss.of(value(MISS, List.of(key), arguments.subList(0, 3)), ofCache);
	}

	/**
	 * Store the value of a load while its token is valid: one step, but for a cluster.
	 * What can't be asked there in the same step is asked after it: a cache is cleared
	 * after its tokens were made invalid, so either that deletes this value or it is seen
	 * here.
	 * @param unlessHeldOff whether nothing is stored if the entry was invalidated lately
	 */
	boolean store(EntryKey entry, byte[] value, @Nullable Duration ttl, @Nullable Duration copyTtl, LoadToken token,
			boolean unlessHeldOff) {
		byte[] key = entry.key();
		List<byte[]> keys = keys(key);
		List<byte[]> arguments = List.of(value, millisOrNone(ttl), millisOrNone(copyTtl), token.ofEntry());
		byte[] ofCache = token.cacheKey();
		List<byte[]> heldOff = unlessHeldOff ? List.of(this.companions.heldOff(key)) : List.of();
		List<byte[]> cleared = unlessHeldOff ? List.of(this.companions.cleared(entry.cache())) : List.of();
		Long stored = together(STORE, join(with(keys, ofCache), join(heldOff, cleared)),
				with(arguments, token.ofCache()));
		if (stored != null) {
			return stored == 1;
		}
		if (!token.isOwn() || number(STORE, join(keys, heldOff), arguments) == 0) {
			return false;
		}
		boolean valid = number(IS_VALID, join(List.of(ofCache), cleared), List.of(token.ofCache())) == 1;
		if (!valid) {
			remove(key);
		}
		return valid;
	}

	/**
	 * Store a value that no load has brought, and make tokens invalid.
	 */
	void replace(byte[] key, byte[] value, @Nullable Duration ttl, @Nullable Duration copyTtl) {
		withCompanions(REPLACE, key, List.of(value, millisOrNone(ttl), millisOrNone(copyTtl)));
	}

	/**
	 * Remove an entry with its copy, and make tokens invalid.
	 */
	void remove(byte[] key) {
		withCompanions(REMOVE, key, List.of());
	}

	/**
	 * Remove an entry with its copy unless it has a value, and make tokens invalid.
	 */
	void keep(byte[] key, byte[] value) {
		withCompanions(KEEP, key, List.of(value));
	}

	private void withCompanions(LuaScript script, byte[] key, List<byte[]> arguments) {
		if (together(script, with(keys(key), this.companions.epoch()), arguments) == null) {
			number(script, this.companions.shareSlot(key) ? keys(key) : List.of(key), arguments);
		}
	}

	private List<byte[]> keys(byte[] key) {
		return List.of(key, this.companions.stale(key), this.companions.load(key));
	}

	/**
	 * Store a null value if nothing is there, none is held off and the token is valid; on
	 * a cluster as {@link #store} does. An eviction holds null values off before it
	 * deletes, so either it deletes this one or it is seen here.
	 * @param makeRoom whether an outdated value is removed; the null value does not take
	 * its place at once
	 */
	boolean storeNull(EntryKey entry, Duration ttl, @Nullable LoadToken token, boolean makeRoom) {
		byte[] key = entry.key();
		byte[] heldOff = this.companions.heldOff(key);
		byte[] cleared = this.companions.cleared(entry.cache());
		byte[] ofCache = (token != null) ? token.cacheKey() : this.companions.epoch();
		List<byte[]> alone = List.of(NULL, millis(ttl), ascii(makeRoom ? "1" : "0"));
		List<byte[]> keys = keys(key);
		List<byte[]> arguments = with(alone, (token != null) ? token.ofEntry() : ascii(""));
		Long stored = together(STORE_NULL, join(with(keys, ofCache), List.of(heldOff, cleared)),
				with(arguments, (token != null) ? token.ofCache() : ascii("")));
		if (stored != null) {
			return stored == 1;
		}
		boolean sameSlot = this.companions.shareSlot(key);
		if ((sameSlot ? number(STORE_NULL, with(keys, heldOff), arguments)
				: number(STORE_NULL, List.of(key), alone)) == 0) {
			return false;
		}
		boolean valid = !exists(cleared) && (sameSlot || !exists(heldOff))
				&& (token == null || number(IS_VALID, List.of(ofCache), List.of(token.ofCache())) == 1);
		if (!valid) {
			removeIfStill(key, NULL);
		}
		return valid;
	}

	void invalidate(byte[] key, Duration heldOff) {
		invalidate(List.of(this.companions.heldOff(key), this.companions.load(key), this.companions.stale(key)),
				heldOff);
	}

	/**
	 * @param keys what holds off, then what loads need
	 */
	void invalidate(List<byte[]> keys, Duration heldOff) {
		List<byte[]> arguments = List.of(millis(heldOff));
		if (together(INVALIDATE, with(keys, this.companions.epoch()), arguments) == null) {
			number(INVALIDATE, keys, arguments);
		}
	}

	/**
	 * Remove null values, and store none for some time. One round trip, but for a cluster
	 * one or two for each.
	 */
	void removeNulls(List<NullEntry> entries) {
		if (together(REMOVE_NULLS, keys(entries), arguments(entries)) == null) {
			entries.forEach(this::removeNull);
		}
	}

	private List<byte[]> keys(List<NullEntry> entries) {
		return entries.stream()
			.flatMap((entry) -> Stream.of(entry.key(), this.companions.heldOff(entry.key()),
					this.companions.load(entry.key())))
			.toList();
	}

	private static List<byte[]> arguments(List<NullEntry> entries) {
		return Stream.concat(Stream.of(NULL), entries.stream().map((entry) -> millis(entry.heldOff()))).toList();
	}

	private void removeNull(NullEntry entry) {
		if (this.companions.shareSlot(entry.key())) {
			number(REMOVE_NULLS, keys(List.of(entry)), arguments(List.of(entry)));
		}
		else {
			invalidate(entry.key(), entry.heldOff());
			removeIfStill(entry.key(), NULL);
		}
	}

	boolean removeIfStill(byte[] key, byte[] value) {
		return number(REMOVE_IF_STILL, List.of(key), List.of(value)) == 1;
	}

	private <T> @Nullable T together(LuaScript script, List<byte[]> keys, List<byte[]> arguments) {
		if (this.slotsMatter) {
			return null;
		}
		try {
			return eval(script, (script == MISS) ? ReturnType.VALUE : ReturnType.INTEGER, keys, arguments);
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

	boolean unlock(byte[] key, byte[] owner) {
		return removeIfStill(this.companions.lock(key), owner);
	}

	void expire(byte[] key, Duration ttl) {
		number(EXPIRE, List.of(key), List.of(millis(ttl)));
	}

	/**
	 * Return the remaining time; negative if the entry never expires or isn't there.
	 */
	long remainingMillis(byte[] key) {
		return number(REMAINING, List.of(key), List.of());
	}

	private boolean exists(byte[] key) {
		return number(EXISTS, List.of(key), List.of()) == 1;
	}

	private long number(LuaScript script, List<byte[]> keys, List<byte[]> arguments) {
		Long number = eval(script, ReturnType.INTEGER, keys, arguments);
		return (number != null) ? number : 0;
	}

	private byte[] value(LuaScript script, List<byte[]> keys, List<byte[]> arguments) {
		return Objects.requireNonNull(this.<byte[]>eval(script, ReturnType.VALUE, keys, arguments));
	}

	private <T> @Nullable T eval(LuaScript script, ReturnType type, List<byte[]> keys, List<byte[]> arguments) {
		return this.runner.eval(script, type, keys.size(), join(keys, arguments).toArray(byte[][]::new));
	}

	private static List<byte[]> with(List<byte[]> first, byte[] last) {
		return join(first, List.of(last));
	}

	private static List<byte[]> join(List<byte[]> first, List<byte[]> second) {
		return Stream.concat(first.stream(), second.stream()).toList();
	}

	private static Duration longer(Duration one, Duration other) {
		return (one.compareTo(other) > 0) ? one : other;
	}

	private static byte[] millis(Duration duration) {
		return ascii(Long.toString(Math.max(1, duration.toMillis())));
	}

	private static byte[] millisOrNone(@Nullable Duration ttl) {
		Duration positive = TimesToLive.positive(ttl);
		return (positive != null) ? millis(positive) : ascii("0");
	}

	private static byte[] ascii(String string) {
		return string.getBytes(StandardCharsets.US_ASCII);
	}

	@FunctionalInterface
	interface Runner {

		<T> @Nullable T eval(LuaScript script, ReturnType type, int keys, byte[]... keysAndArguments);

	}

	record NullEntry(byte[] key, Duration heldOff) {

	}

	/**
	 * The token that a load holds of an entry.
	 */
	record HeldToken(byte[] key, byte[] token) {

	}

	/**
	 * Answer to a request for a value or for the right to load it.
	 *
	 * @param granted whether the right was given; if there is no value either, another
	 * caller loads
	 * @param token what a load that begins now holds, {@code null} if it needs none, or
	 * another caller loads
	 * @param owner who has the right, {@code null} if no other caller has it
	 */
	record Miss(byte @Nullable [] value, boolean granted, @Nullable LoadToken token, byte @Nullable [] owner) {

		/**
		 * @param ofCache where the part of the cache was looked for, {@code null} if the
		 * load needs no token
		 */
		static Miss of(byte[] reply, byte @Nullable [] ofCache) {
			return switch (reply[0]) {
				case 'v' -> new Miss(Arrays.copyOfRange(reply, 1, reply.length), false, null, null);
				case 'c' -> new Miss(null, true, (ofCache != null) ? LoadToken.of(reply, ofCache) : null, null);
				default -> new Miss(null, false, null, Arrays.copyOfRange(reply, 1, reply.length));
			};
		}

		Miss with(LoadToken token) {
			return new Miss(this.value, this.granted, token, this.owner);
		}

	}

}
