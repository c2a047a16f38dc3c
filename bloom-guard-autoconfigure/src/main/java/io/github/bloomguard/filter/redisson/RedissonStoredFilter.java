package io.github.bloomguard.filter.redisson;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import io.github.bloomguard.Membership;
import io.github.bloomguard.filter.FilterGoneException;
import io.github.bloomguard.filter.FilterSpecification;
import io.github.bloomguard.filter.StoredFilter;
import org.redisson.api.RBloomFilter;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.PlainOptions;
import org.redisson.client.RedisException;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.ReadMode;

/**
 * A filter that uses nothing but the public methods of Redisson, for a Redisson whose
 * bits are not where {@link BloomLayout} expects them. It is a {@code RBloomFilter} that
 * knows whether it is whole. Two kinds of elements are added to it beside the keys: the
 * <em>first</em> ones when it is created and the <em>seal</em> when all keys are in.
 * Whoever finds the seal knows that the bits were not lost since; whoever finds the first
 * ones after setting the seal knows that none were lost before.
 * <p>
 * {@code RBloomFilter} reads its size from Redis at its first use and takes a failure to
 * do so for an empty filter. Therefore the one that is used for lookups is asked nothing
 * before its size is known to have been read.
 * <p>
 * Concurrency: {@code opened} goes from {@code false} to {@code true} once; the size that
 * the read filter holds was written before.
 */
final class RedissonStoredFilter implements StoredFilter {

	private static final int FIRST_ELEMENTS = 4;

	private final String name;

	private final FilterSpecification specification;

	private final RBloomFilter<String> reads;

	private final RBloomFilter<String> writes;

	private final BitCount bitCount;

	private final String seal;

	private final List<String> firstElements;

	private final Supplier<CompletableFuture<Void>> deletion;

	private volatile boolean opened;

	RedissonStoredFilter(RedissonClient redisson, String name, FilterSpecification specification, Duration readTimeout,
			Duration writeTimeout, Supplier<CompletableFuture<Void>> deletion) {
		this.name = name;
		this.specification = specification;
		this.reads = redisson.getBloomFilter(options(name).timeout(readTimeout).retryAttempts(0));
		this.writes = redisson.getBloomFilter(options(name).timeout(writeTimeout));
		// no key starts with this character: each is asked with a salt before it
		this.seal = "\0seal:" + name;
		this.firstElements = IntStream.range(0, FIRST_ELEMENTS).mapToObj((i) -> "\0first:" + i + name).toList();
		this.bitCount = new BitCount(redisson, writeTimeout);
		this.deletion = deletion;
	}

	private static PlainOptions options(String name) {
		return PlainOptions.name(name).codec(StringCodec.INSTANCE).readMode(ReadMode.MASTER);
	}

	CompletableFuture<StoredFilter> create() {
		return this.writes
			.tryInitAsync(this.specification.expectedInsertions(), this.specification.falsePositiveProbability())
			.toCompletableFuture()
			.thenCompose((created) -> created ? add(this.firstElements)
					: CompletableFuture.failedFuture(new IllegalStateException("The name is in use: " + this.name)))
			.thenApply((nothing) -> this);
	}

	@Override
	public CompletableFuture<Membership> lookup(String element) {
		if (!this.opened) {
			return open().thenCompose((open) -> open ? lookup(element) : unknown());
		}
		return exists(List.of(element, this.seal)).thenApply((found) -> membership(element, found));
	}

	@Override
	public CompletableFuture<List<Membership>> lookup(List<String> elements) {
		if (!this.opened) {
			return open().thenCompose((open) -> open ? lookup(elements) : CompletableFuture
				.completedFuture(elements.stream().map((element) -> Membership.UNKNOWN).toList()));
		}
		List<String> asked = new ArrayList<>(elements);
		asked.add(this.seal);
		return exists(asked)
			.thenApply((found) -> elements.stream().map((element) -> membership(element, found)).toList());
	}

	@Override
	public CompletableFuture<Boolean> isIntact() {
		return lookup(this.seal).thenApply((membership) -> membership == Membership.MAYBE);
	}

	@Override
	public CompletableFuture<Void> add(Collection<String> elements) {
		if (elements.isEmpty()) {
			return CompletableFuture.completedFuture(null);
		}
		return this.writes.addAsync(elements)
			.toCompletableFuture()
			.<Void>thenApply((added) -> null)
			.exceptionallyCompose(
					(failure) -> isGone(failure) ? gone(failure) : CompletableFuture.failedFuture(failure));
	}

	/**
	 * An element that was not added must not be called absent by anyone: an instance of
	 * the other kind may have its own filter of this name.
	 */
	private CompletableFuture<Void> gone(Throwable failure) {
		return this.deletion.get()
			.thenCompose((nothing) -> CompletableFuture.failedFuture(new FilterGoneException(this.name, failure)));
	}

	@Override
	public CompletableFuture<Boolean> seal() {
		List<String> all = Stream.concat(this.firstElements.stream(), Stream.of(this.seal)).toList();
		return add(List.of(this.seal)).thenCompose((nothing) -> this.writes.existsAsync(all).toCompletableFuture())
			.thenApply((found) -> found.size() == all.size());
	}

	@Override
	public CompletableFuture<Long> bitsSet() {
		return this.bitCount.of(this.name, this.specification.bits());
	}

	private Membership membership(String element, Set<String> found) {
		if (!found.contains(this.seal)) {
			return Membership.UNKNOWN;
		}
		return found.contains(element) ? Membership.MAYBE : Membership.ABSENT;
	}

	private CompletableFuture<Set<String>> exists(List<String> elements) {
		return this.reads.existsAsync(elements).toCompletableFuture().exceptionallyCompose((failure) -> {
			// something else is stored under this name
			return isGone(failure) ? CompletableFuture.completedFuture(Set.of())
					: CompletableFuture.failedFuture(failure);
		});
	}

	/**
	 * Make sure that the filter used for lookups has read its size.
	 * @return whether it has; {@code false} if there is no such filter
	 */
	private CompletableFuture<Boolean> open() {
		return this.reads.getSizeAsync()
			.toCompletableFuture()
			.thenCompose((size) -> (size != null) ? this.reads.containsAsync(this.seal).thenApply((found) -> {
				// fails, unlike exists(), if the size can't be read
				this.opened = true;
				return true;
			}) : CompletableFuture.completedFuture(false))
			.exceptionallyCompose((failure) -> isGone(failure) ? CompletableFuture.completedFuture(false)
					: CompletableFuture.failedFuture(failure));
	}

	private static CompletableFuture<Membership> unknown() {
		return CompletableFuture.completedFuture(Membership.UNKNOWN);
	}

	private static boolean isGone(Throwable failure) {
		for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
			String message = answer(cause);
			if (message.contains("Bloom filter config has been changed")
					|| message.contains("Bloom filter is not initialized") || message.contains("WRONGTYPE")) {
				return true;
			}
		}
		return false;
	}

	/**
	 * Return what Redis, or {@code RBloomFilter}, has answered. That is not all of the
	 * message: it goes on with the command, whose script has the words in it that are
	 * looked for. A timeout is all command and no answer.
	 */
	private static String answer(Throwable failure) {
		if (failure.getClass() != RedisException.class && !(failure instanceof IllegalStateException)) {
			return "";
		}
		return String.valueOf(failure.getMessage()).split(". channel: ", 2)[0];
	}

}
