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

import java.lang.ref.SoftReference;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;

import io.github.bloomguard.filter.FilterCopy;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import org.jspecify.annotations.Nullable;

/**
 * A copy of the strings of a filter, without their words. The last piece of each is read
 * together with the word: a reader that finds <em>sealed</em> there knows that no bit was
 * lost before.
 */
final class RedisFilterCopy implements FilterCopy {

	private static final int CHUNK = 512 * 1024;

	/**
	 * Up to which size a thread keeps its buffer, because keys come from requests.
	 */
	static final int MAX_RETAINED = 64 * 1024;

	/**
	 * Softly reachable, so that no thread of a pool holds on to the class loader of an
	 * application that has been closed.
	 */
	private static final ThreadLocal<@Nullable SoftReference<Scratch>> scratch = new ThreadLocal<>();

	private final PrimaryCommands commands;

	private final Shards shards;

	private final List<BitString> strings;

	private final byte[] prefix;

	private final AtomicBits[] bits;

	RedisFilterCopy(PrimaryCommands commands, Shards shards, List<BitString> strings, String prefix) {
		this.commands = commands;
		this.shards = shards;
		this.strings = strings;
		ByteBuf encoded = Unpooled.buffer();
		BloomLayout.encode(prefix, encoded);
		this.prefix = new byte[encoded.readableBytes()];
		encoded.readBytes(this.prefix);
		this.bits = IntStream.range(0, shards.count())
			.mapToObj((shard) -> new AtomicBits(shards.layout().bits()))
			.toArray(AtomicBits[]::new);
	}

	@Override
	public CompletableFuture<Boolean> load() {
		return load(0, 0);
	}

	private CompletableFuture<Boolean> load(int shard, long from) {
		if (shard == this.shards.count()) {
			return CompletableFuture.completedFuture(true);
		}
		BitString string = this.strings.get(shard);
		long length = this.shards.layout().lengthInBytes();
		long to = Math.min(from + CHUNK, length);
		return this.commands.bytes(string.name(), from, to - 1).thenCompose((bytes) -> {
			if (bytes.length != to - from || (to == length && !isSealed(string, bytes))) {
				return CompletableFuture.completedFuture(false);
			}
			this.bits[shard].setAll(from, bytes);
			return (to == length) ? load(shard + 1, 0) : load(shard, to);
		});
	}

	/**
	 * A chunk is a multiple of eight bytes long, so the word is not divided.
	 */
	private static boolean isSealed(BitString string, byte[] last) {
		return ByteBuffer.wrap(last).getLong(last.length - Long.BYTES) == string.word().sealed();
	}

	@Override
	public boolean add(String element) {
		Scratch scratch = hashed(element);
		AtomicBits bits = this.bits[scratch.shard];
		boolean changed = false;
		for (long index : scratch.indexes) {
			changed |= bits.set(index);
		}
		return changed;
	}

	@Override
	public boolean mightContain(String element) {
		return mightContain(hashed(element));
	}

	@Override
	public boolean mightContain(long number) {
		Scratch scratch = scratch();
		scratch.hash(this.prefix, number, this.shards);
		return mightContain(scratch);
	}

	private boolean mightContain(Scratch scratch) {
		AtomicBits bits = this.bits[scratch.shard];
		for (long index : scratch.indexes) {
			if (!bits.get(index)) {
				return false;
			}
		}
		return true;
	}

	private Scratch hashed(String element) {
		Scratch own = scratch();
		own.hash(this.prefix, element, this.shards);
		return own;
	}

	private static Scratch scratch() {
		SoftReference<Scratch> known = scratch.get();
		Scratch own = (known != null) ? known.get() : null;
		if (own == null) {
			own = new Scratch();
			scratch.set(new SoftReference<>(own));
		}
		return own;
	}

	static int retainedBytes() {
		return scratch().encoded.capacity();
	}

	private static final class Scratch {

		private ByteBuf encoded = Unpooled.buffer();

		private final ElementHash hash = new ElementHash();

		private int shard;

		private long[] indexes = new long[0];

		void hash(byte[] prefix, String element, Shards shards) {
			this.encoded.clear().writeBytes(prefix);
			BloomLayout.encode(element, this.encoded);
			hash(shards);
		}

		void hash(byte[] prefix, long number, Shards shards) {
			this.encoded.clear().writeBytes(prefix);
			BloomLayout.encode(number, this.encoded);
			hash(shards);
		}

		private void hash(Shards shards) {
			BloomLayout layout = shards.layout();
			if (this.indexes.length != layout.hashFunctions()) {
				this.indexes = new long[layout.hashFunctions()];
			}
			layout.indexes(this.encoded, this.hash, this.indexes, 0);
			this.shard = shards.of(this.hash);
			if (this.encoded.capacity() > MAX_RETAINED) {
				this.encoded = Unpooled.buffer();
			}
		}

	}

}
