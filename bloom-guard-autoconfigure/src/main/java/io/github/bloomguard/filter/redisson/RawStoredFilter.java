package io.github.bloomguard.filter.redisson;

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
final class RawStoredFilter implements StoredFilter {

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

	private final RawStore store;

	private final String name;

	private final String key;

	private final FilterSpecification specification;

	private final BloomLayout layout;

	private final byte[] wordAt;

	private final byte[] loading;

	private final byte[] sealed;

	private final BitReads reads;

	private final LookupQueue lookups;

	RawStoredFilter(RawStore store, String name, FilterSpecification specification) {
		this.store = store;
		this.name = name;
		this.key = store.writes().map(name);
		this.specification = specification;
		this.layout = BloomLayout.of(specification);
		SealWord word = SealWord.of(name, this.layout);
		this.wordAt = Decimal.digits(this.layout.sealOffset() / Byte.SIZE);
		this.loading = SealWord.bytes(word.loading());
		this.sealed = SealWord.bytes(word.sealed());
		this.reads = new BitReads(store.reads(), this.key, this.layout, word);
		this.lookups = new LookupQueue(this.reads, store.readTimeout());
	}

	CompletableFuture<StoredFilter> create() {
		return configure()
			.thenCompose((nothing) -> this.store.writes().eval(this.key, CREATE, this.wordAt, this.loading))
			.thenCompose((created) -> created ? CompletableFuture.completedFuture(this) : nameInUse());
	}

	/**
	 * Write what {@code RBloomFilter} needs, and no bits. Nothing can be added before the
	 * string is there with its word.
	 */
	CompletableFuture<Void> configure() {
		return this.store.configure(this.name, this.specification)
			.thenCompose((configured) -> configured ? CompletableFuture.completedFuture(null) : nameInUse());
	}

	private <T> CompletableFuture<T> nameInUse() {
		return CompletableFuture.failedFuture(new IllegalStateException("The name is in use: " + this.name));
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
		return this.store.writes()
			.eval(this.key, ADD, params)
			.thenCompose((added) -> added ? CompletableFuture.completedFuture(null) : gone());
	}

	/**
	 * An element that was not added must not be called absent by anyone. Nobody can ask
	 * this string, but an instance of the other kind may have its own one for this name.
	 */
	private CompletableFuture<Void> gone() {
		return this.store.delete(this.name)
			.thenCompose((nothing) -> CompletableFuture
				.failedFuture(new FilterGoneException(this.name, new IllegalStateException("Its word is another"))));
	}

	@Override
	public CompletableFuture<Boolean> seal() {
		return this.store.writes().eval(this.key, SEAL, this.wordAt, this.loading, this.sealed);
	}

	@Override
	public CompletableFuture<Long> bitsSet() {
		return this.store.bitCount().of(this.name, this.layout.bits());
	}

	private long[] indexes(String element) {
		long[] indexes = new long[this.layout.hashFunctions()];
		this.layout.indexes(element, indexes, 0);
		return indexes;
	}

}
