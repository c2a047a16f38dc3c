package io.github.bloomguard.backend.redis;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Collection;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

import io.github.bloomguard.filter.FilterGoneException;
import io.github.bloomguard.filter.FilterLoad;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.StoredFilter;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/**
 * Computes the bits of a filter here and writes them into the string in Redis: all at
 * once if they and what is sent of them fit into the memory, otherwise piece by piece and
 * each piece in small chunks. The word that tells that nothing was lost is written last.
 */
final class RedisFilterLoad implements FilterLoad {

	/**
	 * A script with this much to write takes Redis less than a millisecond.
	 */
	private static final int CHUNK = 256 * 1024;

	private static final int UNDER_WAY = 2;

	/**
	 * How many elements have their bits set together.
	 */
	private static final int ELEMENTS = 512;

	private final RedisStoredFilter filter;

	private final BloomLayout layout;

	private final FilterString string;

	private final ThreadLocal<Scratch> scratch;

	private final int passes;

	private final boolean atOnce;

	private final Deque<CompletableFuture<Boolean>> writes = new ArrayDeque<>();

	private volatile LocalBits bits;

	/**
	 * Create a load.
	 * @param filter the filter, which has its configuration and no bits
	 * @param specification its size
	 * @param prefix what all elements begin with
	 * @param commands write it
	 * @param maxMemory how many bytes of memory the bits may take here
	 */
	RedisFilterLoad(RedisStoredFilter filter, FilterSpecification specification, String prefix,
			PrimaryCommands commands, long maxMemory) {
		this.filter = filter;
		BloomLayout layout = BloomLayout.of(specification);
		this.layout = layout;
		this.string = new FilterString(commands, filter.name(), layout);
		this.scratch = ThreadLocal.withInitial(() -> new Scratch(prefix, layout));
		long length = layout.lengthInBytes();
		// what is being sent is a copy
		this.atOnce = 2 * length <= maxMemory;
		this.passes = this.atOnce ? 1
				: Math.toIntExact(ceilDiv(length, Math.max(maxMemory - 2 * UNDER_WAY * CHUNK, CHUNK)));
		this.bits = piece(0);
	}

	private LocalBits piece(long from) {
		long length = this.layout.lengthInBytes();
		// whole words, so that the last one is not divided
		long size = ceilDiv(ceilDiv(length, this.passes), Long.BYTES) * Long.BYTES;
		return new LocalBits(from, Math.toIntExact(Math.min(size, length - from)));
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
		Scratch scratch = this.scratch.get();
		int count = 0;
		for (String element : elements) {
			if (count == scratch.indexes.length) {
				this.bits.set(scratch.indexes, count);
				count = 0;
			}
			scratch.indexes(element, this.layout, count);
			count += this.layout.hashFunctions();
		}
		this.bits.set(scratch.indexes, count);
	}

	@Override
	public void endPass() throws InterruptedException {
		LocalBits bits = this.bits;
		boolean last = bits.to() == this.layout.lengthInBytes();
		if (last) {
			bits.put(this.layout.sealOffset() / Byte.SIZE,
					SealWord.bytes(SealWord.of(this.filter.name(), this.layout).loading()));
		}
		if (this.atOnce) {
			write(this.string.writeAll(bits.bytes()), 0);
			return;
		}
		if (bits.from() == 0) {
			write(this.string.allocate(), 0);
		}
		writeChunks(bits);
		if (!last) {
			// the next piece takes the place of this one, not a place beside it
			this.bits = new LocalBits(0, 0);
			this.bits = piece(bits.to());
		}
	}

	private void writeChunks(LocalBits bits) throws InterruptedException {
		byte[] bytes = bits.bytes();
		for (int from = 0; from < bytes.length; from += CHUNK) {
			int to = Math.min(from + CHUNK, bytes.length);
			boolean last = to == bytes.length;
			awaitAtMost(last ? 0 : UNDER_WAY - 1);
			this.writes.add(this.string.write(bits.from() + from, Arrays.copyOfRange(bytes, from, to)));
		}
		awaitAtMost(0);
	}

	private void write(CompletableFuture<Boolean> write, int underWay) throws InterruptedException {
		this.writes.add(write);
		awaitAtMost(underWay);
	}

	private void awaitAtMost(int underWay) throws InterruptedException {
		while (this.writes.size() > underWay) {
			try {
				if (!this.writes.remove().get()) {
					throw new FilterGoneException(this.filter.id(), "it was changed while it was being filled");
				}
			}
			catch (ExecutionException ex) {
				throw new CompletionException(ex.getCause());
			}
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
		this.bits = new LocalBits(0, 0);
	}

	/**
	 * What one thread needs to compute the bits of elements.
	 */
	private static final class Scratch {

		private final ByteBuf encoded = Unpooled.buffer();

		private final int prefix;

		private final ElementHash hash = new ElementHash();

		private final long[] indexes;

		Scratch(String prefix, BloomLayout layout) {
			BloomLayout.encode(prefix, this.encoded);
			this.prefix = this.encoded.writerIndex();
			this.indexes = new long[ELEMENTS * layout.hashFunctions()];
		}

		void indexes(String element, BloomLayout layout, int from) {
			this.encoded.writerIndex(this.prefix);
			BloomLayout.encode(element, this.encoded);
			layout.indexes(this.encoded, this.hash, this.indexes, from);
		}

	}

}
