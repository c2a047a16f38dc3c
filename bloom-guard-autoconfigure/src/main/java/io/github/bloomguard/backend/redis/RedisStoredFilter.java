package io.github.bloomguard.backend.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.Membership;
import io.github.bloomguard.filter.FilterGoneException;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.StoredFilter;

/**
 * A filter whose bits are computed here and lie where {@code RBloomFilter} would put
 * them, so it can be read by one too. Past them stands a word that says whether they are
 * all there and whether they are complete. The configuration that {@code RBloomFilter}
 * needs decides nothing here and may be lost.
 */
final class RedisStoredFilter implements StoredFilter {

	/**
	 * Nothing is added to a string whose word is another: it would have to be created,
	 * and would lack whatever was in it before.
	 */
	private static final String ADD = """
			local word = redis.pcall('getrange', KEYS[1], ARGV[1], -1)
			if word ~= ARGV[2] and word ~= ARGV[3] then return 0 end
			for i = 4, #ARGV do redis.call('setbit', KEYS[1], ARGV[i], 1) end
			return 1
			""";

	private static final String CREATE = """
			if redis.call('exists', KEYS[1]) == 1 then return 0 end
			redis.call('setrange', KEYS[1], ARGV[1], ARGV[2])
			return 1
			""";

	private static final String SEAL = """
			local word = redis.pcall('getrange', KEYS[1], ARGV[1], -1)
			if word == ARGV[2] then redis.call('setrange', KEYS[1], ARGV[1], ARGV[3]) end
			return (word == ARGV[2] or word == ARGV[3]) and 1 or 0
			""";

	private static final int BEFORE_BITS = 3;

	private static final int CHUNK = 1000;

	private final PrimaryCommands writes;

	private final String name;

	private final List<String> names;

	private final BloomLayout layout;

	private final BitCount bitCount;

	private final byte[] wordAt;

	private final byte[] loading;

	private final byte[] sealed;

	private final BitReads reads;

	private final LookupQueue lookups;

	/**
	 * Create a filter.
	 * @param reads sends what a call waits for
	 * @param writes sends what may take longer
	 * @param readTimeout for how long a lookup may wait to be sent
	 * @param name the name
	 * @param specification the size
	 */
	RedisStoredFilter(PrimaryCommands reads, PrimaryCommands writes, Duration readTimeout, String name,
			FilterSpecification specification) {
		this.writes = writes;
		this.name = name;
		this.names = List.of(name);
		this.layout = BloomLayout.of(specification);
		this.bitCount = new BitCount(writes, name, this.layout.bits());
		SealWord word = SealWord.of(name, this.layout);
		this.wordAt = Decimal.digits(this.layout.sealOffset() / Byte.SIZE);
		this.loading = SealWord.bytes(word.loading());
		this.sealed = SealWord.bytes(word.sealed());
		this.reads = new BitReads(reads, name, this.layout, word);
		this.lookups = new LookupQueue(this.reads, readTimeout);
	}

	CompletableFuture<StoredFilter> create() {
		return this.writes.test(this.names, CREATE, this.wordAt, this.loading)
			.thenCompose((created) -> created ? CompletableFuture.completedFuture(this) : nameInUse(this.name));
	}

	static <T> CompletableFuture<T> nameInUse(String name) {
		return CompletableFuture.failedFuture(new IllegalStateException("The name is in use: " + name));
	}

	@Override
	public CompletableFuture<Membership> lookup(String element) {
		Lookup lookup = new Lookup(indexes(element));
		this.lookups.add(lookup);
		return lookup;
	}

	@Override
	public CompletableFuture<List<Membership>> lookup(List<String> elements) {
		if (elements.isEmpty()) {
			return CompletableFuture.completedFuture(List.of());
		}
		List<Lookup> batch = elements.stream().map((element) -> new Lookup(indexes(element))).toList();
		return ask(batch).thenApply((nothing) -> batch.stream().map(CompletableFuture::join).toList());
	}

	@Override
	public CompletableFuture<Boolean> isIntact() {
		// an element of no bits is there, if anything is
		Lookup nothing = new Lookup(new long[0]);
		return ask(List.of(nothing)).thenCompose((asked) -> nothing)
			.thenApply((membership) -> membership == Membership.MAYBE);
	}

	private CompletableFuture<Void> ask(List<Lookup> batch) {
		return this.reads.send(batch).handle((reply, failure) -> {
			this.reads.answer(batch, reply, failure);
			return null;
		});
	}

	@Override
	public CompletableFuture<Void> add(Collection<String> elements) {
		List<String> all = new ArrayList<>(elements);
		CompletableFuture<Void> added = CompletableFuture.completedFuture(null);
		for (int from = 0; from < all.size(); from += CHUNK) {
			List<String> chunk = all.subList(from, Math.min(from + CHUNK, all.size()));
			added = added.thenCompose((nothing) -> addChunk(chunk));
		}
		return added;
	}

	private CompletableFuture<Void> addChunk(List<String> elements) {
		int each = this.layout.hashFunctions();
		long[] indexes = new long[each];
		Object[] params = new Object[BEFORE_BITS + elements.size() * each];
		params[0] = this.wordAt;
		params[1] = this.loading;
		params[2] = this.sealed;
		int next = BEFORE_BITS;
		for (String element : elements) {
			this.layout.indexes(element, indexes, 0);
			for (long index : indexes) {
				params[next++] = Decimal.digits(index);
			}
		}
		return this.writes.test(this.names, ADD, params)
			.thenCompose((added) -> added ? CompletableFuture.completedFuture(null) : gone());
	}

	private CompletableFuture<Void> gone() {
		return CompletableFuture
			.failedFuture(new FilterGoneException(this.name, new IllegalStateException("Its word is another")));
	}

	@Override
	public CompletableFuture<Boolean> seal() {
		return this.writes.test(this.names, SEAL, this.wordAt, this.loading, this.sealed);
	}

	@Override
	public CompletableFuture<Long> bitsSet() {
		return this.bitCount.estimate();
	}

	private long[] indexes(String element) {
		long[] indexes = new long[this.layout.hashFunctions()];
		this.layout.indexes(element, indexes, 0);
		return indexes;
	}

}
