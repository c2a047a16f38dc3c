package io.github.bloomguard.filter.redisson;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

import io.github.bloomguard.filter.FilterLoad;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.filter.StoredFilter;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.OptionalOptions;

/**
 * Keeps each filter where a {@code RBloomFilter} with the string codec finds it, whatever
 * codec the client has.
 * <p>
 * There are two kinds of filters. The bits of the one are computed and read here; it is
 * used if, as a check at the first use has shown, this Redisson puts them in the same
 * places. The other one asks {@code RBloomFilter} for everything. They are stored under
 * different keys, so no instance takes a filter of the other kind for its own: to it, it
 * is not there. If it were to add elements to one, it deletes it instead.
 * <p>
 * Concurrency: {@code raw} is created by whoever needs it first; several of them do no
 * harm.
 *
 * @since 0.1.0
 */
public final class RedissonFilterStore implements FilterStore {

	/**
	 * A string of many megabytes may take long to send.
	 */
	private static final Duration LOAD_TIMEOUT = Duration.ofSeconds(30);

	private final RedissonClient redisson;

	private final Duration readTimeout;

	private final Duration writeTimeout;

	private final LayoutCheck check;

	private volatile @Nullable RawStore raw;

	/**
	 * Create a store.
	 * @param redisson the client
	 * @param readTimeout the longest wait for a lookup
	 * @param writeTimeout the longest wait for each attempt to write
	 */
	public RedissonFilterStore(RedissonClient redisson, Duration readTimeout, Duration writeTimeout) {
		this(redisson, readTimeout, writeTimeout, new LayoutCheck(redisson, BloomLayout::of));
	}

	RedissonFilterStore(RedissonClient redisson, Duration readTimeout, Duration writeTimeout, LayoutCheck check) {
		this.redisson = redisson;
		this.readTimeout = readTimeout;
		this.writeTimeout = writeTimeout;
		this.check = check;
	}

	@Override
	public CompletableFuture<StoredFilter> create(String name, FilterSpecification specification) {
		return this.check.check(name)
			.thenCompose(
					(expected) -> expected ? raw(name, specification).create() : plain(name, specification).create());
	}

	@Override
	public CompletableFuture<FilterLoad> load(String name, FilterSpecification specification, String prefix,
			long maxMemory) {
		return this.check.check(name)
			.thenCompose((expected) -> expected ? loadRaw(name, specification, prefix, maxMemory)
					: FilterStore.super.load(name, specification, prefix, maxMemory));
	}

	private CompletableFuture<FilterLoad> loadRaw(String name, FilterSpecification specification, String prefix,
			long maxMemory) {
		// each write is sent once: one that was taken for lost and comes after it was
		// sent again would undo what has been added meanwhile
		PrimaryCommands commands = new PrimaryCommands(this.redisson,
				OptionalOptions.defaults().timeout(LOAD_TIMEOUT).retryAttempts(0));
		return rawStore().configure(name, specification).thenApply((configured) -> {
			if (!configured) {
				throw new IllegalStateException("The name is in use: " + name);
			}
			return new RawFilterLoad(raw(name, specification), name, specification, prefix, commands, maxMemory);
		});
	}

	@Override
	public StoredFilter open(String name, FilterSpecification specification) {
		Boolean expected = this.check.known();
		if (expected != null) {
			return open(name, specification, expected);
		}
		Supplier<CompletableFuture<StoredFilter>> source = () -> this.check.check(name)
			.thenApply((found) -> open(name, specification, found));
		return new UncheckedFilter(source);
	}

	private StoredFilter open(String name, FilterSpecification specification, boolean expected) {
		return expected ? raw(name, specification) : plain(name, specification);
	}

	private RawStoredFilter raw(String name, FilterSpecification specification) {
		return new RawStoredFilter(rawStore(), name, specification);
	}

	private RawStore rawStore() {
		RawStore store = this.raw;
		if (store == null) {
			store = new RawStore(this.redisson, this.readTimeout, this.writeTimeout, this::delete);
			this.raw = store;
		}
		return store;
	}

	private RedissonStoredFilter plain(String name, FilterSpecification specification) {
		return new RedissonStoredFilter(this.redisson, plainName(name), specification, this.readTimeout,
				this.writeTimeout, () -> delete(name));
	}

	@Override
	public CompletableFuture<Void> delete(String name) {
		String plain = plainName(name);
		return this.redisson.getKeys()
			.unlinkAsync(name, configName(name), plain, configName(plain))
			.toCompletableFuture()
			.thenApply((count) -> null);
	}

	static String plainName(String name) {
		return name + ":plain";
	}

	static String configName(String name) {
		return name + ":config";
	}

}
