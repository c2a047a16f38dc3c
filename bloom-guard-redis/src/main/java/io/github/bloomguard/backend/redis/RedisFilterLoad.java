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

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

import io.github.bloomguard.filter.FilterGoneException;
import io.github.bloomguard.filter.FilterLoad;
import io.github.bloomguard.filter.StoredFilter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Computes the bits of a filter here and writes them into its strings in Redis: as many
 * strings in one pass as fit into the memory with what is sent of one of them, each at
 * once; if not even one does, piece by piece. Pieces, and strings that Redis would copy,
 * are written in small chunks. The word is written last.
 */
final class RedisFilterLoad implements FilterLoad {

	/**
	 * A script with this much to write takes Redis less than a millisecond.
	 */
	private static final int CHUNK = 256 * 1024;

	private static final int UNDER_WAY = 2;

	private static final int ELEMENTS = 512;

	private final RedisStoredFilter filter;

	private final BloomLayout layout;

	private final PrimaryCommands commands;

	private final ThreadLocal<Scratch> scratch;

	private final boolean whole;

	/**
	 * How many passes a string takes, or, if {@code whole}, how many strings a pass.
	 */
	private final int each;

	private final int passes;

	private final Deque<CompletableFuture<Boolean>> writes = new ArrayDeque<>();

	private int pass;

	private volatile LocalBits bits;

	RedisFilterLoad(RedisStoredFilter filter, String prefix, PrimaryCommands commands, long maxMemory) {
		this.filter = filter;
		Shards shards = filter.shards();
		this.layout = shards.layout();
		this.commands = commands;
		this.scratch = ThreadLocal.withInitial(() -> new Scratch(prefix, shards));
		long length = this.layout.lengthInBytes();
		// what is being sent is a copy
		this.whole = 2 * length <= maxMemory;
		this.each = Math.toIntExact(this.whole ? Math.min(maxMemory / length - 1, shards.count())
				: ceilDiv(length, Math.max(maxMemory - 2 * UNDER_WAY * CHUNK, CHUNK)));
		this.passes = Math
			.toIntExact(this.whole ? ceilDiv(shards.count(), this.each) : (long) shards.count() * this.each);
		this.bits = next();
	}

	private LocalBits next() {
		long length = this.layout.lengthInBytes();
		if (this.whole) {
			int first = this.pass * this.each;
			return new LocalBits(first, Math.min(this.each, this.filter.shards().count() - first), 0,
					Math.toIntExact(length));
		}
		// whole words, so that the last one is not divided
		long size = ceilDiv(ceilDiv(length, this.each), Long.BYTES) * Long.BYTES;
		long from = this.pass % this.each * size;
		return new LocalBits(this.pass / this.each, 1, from, Math.toIntExact(Math.min(size, length - from)));
	}

	private static long ceilDiv(long dividend, long divisor) {
		return (dividend + divisor - 1) / divisor;
	}

	@Override
	public int passes() {
		return this.passes;
	}

	@Override
	public void add(Collection<String> elements) {
		this.scratch.get().add(elements, this.bits);
	}

	@Override
	public void endPass() throws InterruptedException {
		LocalBits bits = this.bits;
		for (int shard = bits.first(); shard < bits.end(); shard++) {
			write(this.filter.strings().get(shard), bits.from(), bits.take(shard));
		}
		this.pass++;
		// the next piece takes the place of this one, not a place beside it
		this.bits = LocalBits.NONE;
		if (this.pass < this.passes) {
			this.bits = next();
		}
	}

	private void write(BitString string, long from, byte[] bytes) throws InterruptedException {
		FilterString target = new FilterString(this.commands, string.name(), this.layout);
		boolean last = from + bytes.length == this.layout.lengthInBytes();
		if (last) {
			ByteBuffer.wrap(bytes).putLong(bytes.length - Long.BYTES, string.word().loading());
		}
		if (this.whole && (bytes.length <= CHUNK || !get(target.isCopied()))) {
			write(target.writeAll(bytes), 0);
			return;
		}
		if (from == 0) {
			write(target.allocate(), 0);
		}
		for (int at = 0; at < bytes.length; at += CHUNK) {
			int to = Math.min(at + CHUNK, bytes.length);
			awaitAtMost((last && to == bytes.length) ? 0 : UNDER_WAY - 1);
			this.writes.add(target.write(from + at, Arrays.copyOfRange(bytes, at, to)));
		}
		awaitAtMost(0);
	}

	private void write(CompletableFuture<Boolean> write, int underWay) throws InterruptedException {
		this.writes.add(write);
		awaitAtMost(underWay);
	}

	private void awaitAtMost(int underWay) throws InterruptedException {
		while (this.writes.size() > underWay) {
			if (!get(this.writes.remove())) {
				throw new FilterGoneException(this.filter.id(), "it was changed while it was being filled");
			}
		}
	}

	private static boolean get(CompletableFuture<Boolean> reply) throws InterruptedException {
		try {
			return reply.get();
		}
		catch (ExecutionException ex) {
			throw new CompletionException(ex.getCause());
		}
	}

	@Override
	public void keepAlive() {
		this.filter.keepAlive();
	}

	@Override
	public StoredFilter filter() {
		return this.filter;
	}

	@Override
	public void close() {
		this.writes.forEach((write) -> write.cancel(false));
		this.bits = LocalBits.NONE;
	}

	private static final class Scratch {

		private static final int NONE = -1;

		private final ByteBuf encoded = Unpooled.buffer();

		private final Shards shards;

		private final int prefix;

		private final ElementHash hash = new ElementHash();

		private final long[] indexes;

		private final int[] last;

		private final int[] former = new int[ELEMENTS];

		Scratch(String prefix, Shards shards) {
			this.shards = shards;
			BloomLayout.encode(prefix, this.encoded);
			this.prefix = this.encoded.writerIndex();
			this.indexes = new long[ELEMENTS * shards.layout().hashFunctions()];
			this.last = new int[shards.count()];
			Arrays.fill(this.last, NONE);
		}

		void add(Collection<String> elements, LocalBits bits) {
			BloomLayout layout = this.shards.layout();
			int each = layout.hashFunctions();
			int count = 0;
			for (String element : elements) {
				this.encoded.writerIndex(this.prefix);
				BloomLayout.encode(element, this.encoded);
				this.hash.hash(this.encoded);
				int string = this.shards.of(this.hash);
				if (bits.has(string)) {
					layout.indexes(this.hash.first(), this.hash.second(), this.indexes, count * each);
					this.former[count] = this.last[string];
					this.last[string] = count;
					count++;
				}
				if (count == ELEMENTS) {
					write(bits);
					count = 0;
				}
			}
			write(bits);
		}

		private void write(LocalBits bits) {
			for (int string = bits.first(); string < bits.end(); string++) {
				bits.set(string, this.indexes, this.shards.layout().hashFunctions(), this.last[string], this.former);
				this.last[string] = NONE;
			}
		}

	}

}
