package io.github.bloomguard.backend.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

import io.github.bloomguard.Membership;
import io.github.bloomguard.filter.FilterCopy;
import io.github.bloomguard.filter.FilterGoneException;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.GenerationId;
import io.github.bloomguard.filter.Occupancy;
import io.github.bloomguard.filter.StoredFilter;

/**
 * A filter whose bits are computed here and lie where {@code RBloomFilter} would put
 * them, so it can be read by one too. Past them stands a word that says whether they are
 * all there and whether they are complete. The configuration that {@code RBloomFilter}
 * needs decides nothing here and may be lost.
 */
final class RedisStoredFilter implements StoredFilter {

	/**
	 * How long a filter lasts that is not sealed and not kept alive.
	 */
	static final Duration LOADING = Duration.ofSeconds(60);

	private static final String CREATE = """
			if redis.call('exists', KEYS[1]) == 1 then return 0 end
			redis.call('setrange', KEYS[1], ARGV[1], ARGV[2])
			redis.call('pexpire', KEYS[1], ARGV[3])
			return 1
			""";

	private static final String WORD = """
			local word = redis.call('type', KEYS[1]).ok == 'string' and redis.call('getrange', KEYS[1], ARGV[1], -1)
			""";

	private static final String KEEP_ALIVE = WORD + """
			if word == ARGV[2] then return 0 end
			redis.call('pexpire', KEYS[2], ARGV[3])
			return redis.call('pexpire', KEYS[1], ARGV[3])
			""";

	private static final String SEAL = WORD + """
			if word ~= ARGV[2] and word ~= ARGV[3] then return 0 end
			if word == ARGV[2] then redis.call('setrange', KEYS[1], ARGV[1], ARGV[3]) end
			redis.call('persist', KEYS[1])
			redis.call('persist', KEYS[2])
			return 1
			""";

	private static final int CHUNK = 1000;

	private final PrimaryCommands writes;

	private final GenerationId id;

	private final String name;

	private final List<String> names;

	private final FilterSpecification specification;

	private final BloomLayout layout;

	private final SealWord word;

	private final BitCount bitCount;

	private final byte[] wordAt;

	private final BitReads reads;

	private final LookupQueue<Lookup> lookups;

	/**
	 * Create a filter.
	 * @param reads sends what a call waits for
	 * @param writes sends what may take longer
	 * @param readTimeout for how long a lookup may wait to be sent
	 * @param id names the filter
	 * @param name the name of its key
	 * @param specification the size
	 */
	RedisStoredFilter(PrimaryCommands reads, PrimaryCommands writes, Duration readTimeout, GenerationId id, String name,
			FilterSpecification specification) {
		this.writes = writes;
		this.id = id;
		this.name = name;
		this.names = List.of(name, RedisFilterStore.configName(name));
		this.specification = specification;
		this.layout = BloomLayout.of(specification);
		this.word = SealWord.of(name, this.layout);
		this.bitCount = new BitCount(writes, name, this.layout.bits());
		this.wordAt = Decimal.digits(this.layout.sealOffset() / Byte.SIZE);
		this.reads = new BitReads(reads, name, this.layout, this.word);
		this.lookups = new LookupQueue<>(this.reads, readTimeout);
	}

	GenerationId id() {
		return this.id;
	}

	String name() {
		return this.name;
	}

	CompletableFuture<StoredFilter> create() {
		return this.writes
			.test(this.names, CREATE, this.wordAt, SealWord.bytes(this.word.loading()), LOADING.toMillis())
			.thenCompose((created) -> created ? CompletableFuture.completedFuture(this) : nameInUse(this.id));
	}

	static <T> CompletableFuture<T> nameInUse(GenerationId id) {
		return CompletableFuture.failedFuture(new IllegalStateException("There is a generation " + id));
	}

	/**
	 * Let the filter last a while longer, if it is not sealed yet.
	 */
	CompletableFuture<Void> keepAlive() {
		return this.writes
			.test(this.names, KEEP_ALIVE, this.wordAt, SealWord.bytes(this.word.sealed()), LOADING.toMillis())
			.thenApply((kept) -> null);
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
		return this.writes
			.test(List.of(this.name), BitWrites.WRITE_ONE,
					BitWrites.arguments(this.layout, this.word, elements).toArray())
			.thenCompose((added) -> added ? CompletableFuture.completedFuture(null)
					: CompletableFuture.failedFuture(new FilterGoneException(this.id, "its bits are not there")));
	}

	@Override
	public CompletableFuture<Boolean> seal() {
		return this.writes.test(this.names, SEAL, this.wordAt, SealWord.bytes(this.word.loading()),
				SealWord.bytes(this.word.sealed()));
	}

	@Override
	public CompletableFuture<Occupancy> occupancy() {
		return this.bitCount.estimate().thenApply((bits) -> Occupancy.ofBits(this.specification, bits));
	}

	@Override
	public Optional<FilterCopy> copy(String prefix) {
		return Optional.of(new RedisFilterCopy(this.writes, this.name, this.layout, this.word, prefix));
	}

	private long[] indexes(String element) {
		long[] indexes = new long[this.layout.hashFunctions()];
		this.layout.indexes(element, indexes, 0);
		return indexes;
	}

}
