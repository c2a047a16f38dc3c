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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.Membership;
import io.github.bloomguard.backend.redis.ReplicationIds.Topology;
import io.github.bloomguard.lua.LuaFile;

/**
 * One string with bits of a filter: all of them, or those of a shard. Past the bits
 * stands a word that says whether they are all there and whether they are complete.
 * <p>
 * A shard may be on another server than the record of the filter, so it has a stamp,
 * which names the server that has had every write to it.
 */
final class BitString {

	static final Duration LOADING = Duration.ofSeconds(60);

	private static final String CREATE = RunId.SCRIPT + read("bits/create");

	private static final String IS_MISSING = read("bits/is-missing");

	private static final String WORD = read("bits/word");

	private static final String KEEP_ALIVE = WORD + read("bits/keep-alive");

	static final String STAMPED = RunId.SCRIPT + read("bits/stamped");

	private static final String SEAL = STAMPED + WORD + read("bits/seal");

	private static final String LOOK = STAMPED + WORD + read("bits/look");

	private static final String ALL_INTACT = RunId.SCRIPT + read("bits/all-intact");

	private static final String SERVER = read("bits/server");

	private final PrimaryCommands writes;

	private final String name;

	private final List<String> names;

	private final BloomLayout layout;

	private final SealWord word;

	private final BitCount bitCount;

	private final byte[] wordAt;

	private final FailoverDetector provenance;

	private final BitReads reads;

	private final LookupQueue<Lookup> lookups;

	BitString(ReplicationIds replicationIds, PrimaryCommands reads, PrimaryCommands writes, Duration readTimeout,
			String name, BloomLayout layout) {
		this.writes = writes;
		this.name = name;
		this.names = names(name, layout);
		this.layout = layout;
		this.word = SealWord.of(name, layout);
		this.bitCount = new BitCount(writes, name, layout.bits());
		this.wordAt = Decimal.digits(layout.sealOffset() / Byte.SIZE);
		this.provenance = new FailoverDetector(writes, replicationIds, name, stampScript(layout));
		this.reads = new BitReads(reads, name, layout, this.word);
		this.lookups = new LookupQueue<>(this.reads, readTimeout);
	}

	private static String stampScript(BloomLayout layout) {
		return "local stamp = " + layout.stampOffset() / Byte.SIZE + "\n" + SERVER;
	}

	static List<String> names(String name, BloomLayout layout) {
		return layout.isStamped() ? List.of(name) : List.of(name, configName(name));
	}

	static String configName(String name) {
		return name + ":config";
	}

	String name() {
		return this.name;
	}

	SealWord word() {
		return this.word;
	}

	CompletableFuture<Boolean> create() {
		return this.layout.isStamped() ? test(CREATE, SealWord.bytes(this.word.loading()), expiry(), stampAt())
				: test(CREATE, SealWord.bytes(this.word.loading()), expiry());
	}

	CompletableFuture<Boolean> isMissing() {
		return this.writes.test(this.names, IS_MISSING);
	}

	CompletableFuture<Boolean> keepAlive() {
		CompletableFuture<Boolean> kept = test(KEEP_ALIVE, sealed(), expiry());
		return this.layout.isStamped() ? kept.thenCompose((nothing) -> look(false)) : kept;
	}

	void answer(Lookup lookup) {
		this.lookups.add(lookup);
	}

	/**
	 * Have lookups answered by one command; never completes exceptionally.
	 */
	CompletableFuture<Void> answer(List<Lookup> batch) {
		return this.reads.send(batch).handle((reply, failure) -> {
			this.reads.answer(batch, reply, failure);
			return null;
		});
	}

	CompletableFuture<Boolean> isIntact() {
		if (this.layout.isStamped()) {
			return look(true);
		}
		// an element of no bits is there, if anything is
		Lookup nothing = new Lookup(new long[0]);
		return answer(List.of(nothing)).thenCompose((asked) -> nothing)
			.thenApply((membership) -> membership == Membership.MAYBE);
	}

	/**
	 * Return by one command what {@link #isIntact} does, for strings that are stamped and
	 * on the same server; {@code false} if one of them has to be asked itself.
	 */
	static CompletableFuture<Boolean> areIntact(List<BitString> strings) {
		BitString first = strings.get(0);
		List<Object> arguments = new ArrayList<>(List.of(first.wordAt, first.stampAt()));
		strings.forEach((string) -> arguments.add(string.sealed()));
		return first.writes.test(strings.stream().map(BitString::name).toList(), ALL_INTACT, arguments.toArray());
	}

	private CompletableFuture<Boolean> look(boolean sealed) {
		Topology before = this.provenance.before();
		return this.writes.list(this.names, LOOK, this.wordAt, sealed(), stampAt()).thenCompose((reply) -> {
			if (reply.get(0).equals("gone") || sealed && !reply.get(0).equals("sealed")) {
				return CompletableFuture.completedFuture(false);
			}
			if (reply.get(1).equals("elsewhere")) {
				return this.provenance.explain();
			}
			this.provenance.found(reply.get(2), before);
			return CompletableFuture.completedFuture(true);
		});
	}

	CompletableFuture<Boolean> add(List<long[]> elements) {
		return this.writes.test(List.of(this.name), BitWrites.WRITE_ONE,
				BitWrites.arguments(this.layout, this.word, elements).toArray());
	}

	CompletableFuture<Boolean> seal() {
		byte[] loading = SealWord.bytes(this.word.loading());
		return !this.layout.isStamped() ? test(SEAL, loading, sealed()) : look(false).thenCompose((complete) -> complete
				? test(SEAL, loading, sealed(), stampAt()) : CompletableFuture.completedFuture(false));
	}

	CompletableFuture<Long> bitsSet() {
		return this.bitCount.estimate();
	}

	private CompletableFuture<Boolean> test(String script, byte[]... more) {
		Object[] arguments = new Object[more.length + 1];
		arguments[0] = this.wordAt;
		System.arraycopy(more, 0, arguments, 1, more.length);
		return this.writes.test(this.names, script, arguments);
	}

	private byte[] sealed() {
		return SealWord.bytes(this.word.sealed());
	}

	private byte[] stampAt() {
		return Decimal.digits(this.layout.stampOffset() / Byte.SIZE);
	}

	private static String read(String name) {
		return LuaFile.read(BitString.class, name);
	}

	private static byte[] expiry() {
		return Decimal.digits(LOADING.toMillis());
	}

}
