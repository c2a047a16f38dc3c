package io.github.bloomguard.backend.redis;

import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.filter.FilterCopy;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * A copy of the string of a filter, without its word. The last piece is read together
 * with the word: whoever finds <em>sealed</em> there knows that no bit was lost before.
 */
final class RedisFilterCopy implements FilterCopy {

	/**
	 * How many bytes are read at a time, so that Redis is not held up.
	 */
	private static final int CHUNK = 512 * 1024;

	private static final ThreadLocal<Scratch> scratch = ThreadLocal.withInitial(Scratch::new);

	private final PrimaryCommands commands;

	private final String key;

	private final BloomLayout layout;

	private final long sealed;

	private final byte[] prefix;

	private final AtomicBits bits;

	/**
	 * Create a copy without any bits set.
	 * @param commands sends the commands
	 * @param name the name of the filter
	 * @param layout its layout
	 * @param word its word
	 * @param prefix what all elements begin with
	 */
	RedisFilterCopy(PrimaryCommands commands, String name, BloomLayout layout, SealWord word, String prefix) {
		this.commands = commands;
		this.key = commands.map(name);
		this.layout = layout;
		this.sealed = word.sealed();
		ByteBuf encoded = Unpooled.buffer();
		BloomLayout.encode(prefix, encoded);
		this.prefix = new byte[encoded.readableBytes()];
		encoded.readBytes(this.prefix);
		this.bits = new AtomicBits(layout.bits());
	}

	@Override
	public CompletableFuture<Boolean> load() {
		return load(0);
	}

	private CompletableFuture<Boolean> load(long from) {
		long length = this.layout.lengthInBytes();
		long to = Math.min(from + CHUNK, length);
		return this.commands.bytes(this.key, from, to - 1).thenCompose((bytes) -> {
			if (bytes.length != to - from) {
				return CompletableFuture.completedFuture(false);
			}
			this.bits.setAll(from, bytes);
			return (to == length) ? CompletableFuture.completedFuture(isSealed(bytes)) : load(to);
		});
	}

	/**
	 * A chunk is a multiple of eight bytes long, so the word is not divided.
	 */
	private boolean isSealed(byte[] last) {
		return ByteBuffer.wrap(last).getLong(last.length - Long.BYTES) == this.sealed;
	}

	@Override
	public boolean add(String element) {
		boolean changed = false;
		for (long index : indexes(element)) {
			changed |= this.bits.set(index);
		}
		return changed;
	}

	@Override
	public boolean mightContain(String element) {
		for (long index : indexes(element)) {
			if (!this.bits.get(index)) {
				return false;
			}
		}
		return true;
	}

	private long[] indexes(String element) {
		return scratch.get().indexes(this.prefix, element, this.layout);
	}

	/**
	 * What one thread needs to compute the bits of an element.
	 */
	private static final class Scratch {

		private final ByteBuf encoded = Unpooled.buffer();

		private final ElementHash hash = new ElementHash();

		private long[] indexes = new long[0];

		long[] indexes(byte[] prefix, String element, BloomLayout layout) {
			if (this.indexes.length != layout.hashFunctions()) {
				this.indexes = new long[layout.hashFunctions()];
			}
			this.encoded.clear().writeBytes(prefix);
			BloomLayout.encode(element, this.encoded);
			layout.indexes(this.encoded, this.hash, this.indexes, 0);
			return this.indexes;
		}

	}

}
