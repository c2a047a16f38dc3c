package io.github.bloomguard.filter.redisson;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;

import io.github.bloomguard.filter.FilterSpecification;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.redisson.api.RBloomFilter;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.OptionalOptions;
import org.redisson.api.options.PlainOptions;
import org.redisson.client.RedisException;
import org.redisson.client.codec.ByteArrayCodec;
import org.redisson.client.codec.StringCodec;
import org.redisson.config.ReadMode;

/**
 * Finds out whether this Redisson puts its bits where {@link BloomLayout} expects them,
 * and lets us use its insides: elements are added by {@code RBloomFilter} to a small
 * filter of their own, and its bits are compared with those that were computed.
 * <p>
 * Concurrency: {@code check} holds the check that is under way or has come to a result.
 * One that fails, because Redis did not answer, takes itself away again, so the next
 * caller starts another.
 */
final class LayoutCheck {

	private static final Log logger = LogFactory.getLog(LayoutCheck.class);

	private static final FilterSpecification SMALL = new FilterSpecification("check", 100, 0.01);

	private static final Duration TIMEOUT = Duration.ofMillis(500);

	/** Outlives the check, if it can't be cleaned up. */
	private static final Duration KEPT = Duration.ofMinutes(1);

	private final RedissonClient redisson;

	private final Function<FilterSpecification, BloomLayout> layouts;

	private final AtomicReference<@Nullable CompletableFuture<Boolean>> check = new AtomicReference<>();

	/**
	 * Create a check that has not been done yet.
	 * @param redisson the client
	 * @param layouts gives the layout that is expected
	 */
	LayoutCheck(RedissonClient redisson, Function<FilterSpecification, BloomLayout> layouts) {
		this.redisson = redisson;
		this.layouts = layouts;
	}

	/**
	 * Return the result, if there is one.
	 * @return whether the layout is as expected, {@code null} if that is not known
	 */
	@Nullable Boolean known() {
		CompletableFuture<Boolean> check = this.check.get();
		return (check != null && check.isDone() && !check.isCompletedExceptionally()) ? check.join() : null;
	}

	/**
	 * Check, unless that was done or is being done.
	 * @param name the name of a filter; the keys of the check begin with it
	 * @return whether the layout is as expected, exceptionally if Redis did not answer
	 */
	CompletableFuture<Boolean> check(String name) {
		while (true) {
			CompletableFuture<Boolean> known = this.check.get();
			if (known != null) {
				return known;
			}
			CompletableFuture<Boolean> started = new CompletableFuture<>();
			if (this.check.compareAndSet(null, started)) {
				run(name).whenComplete((expected, failure) -> {
					if (failure != null) {
						this.check.set(null);
						started.completeExceptionally(failure);
					}
					else {
						started.complete(expected);
					}
				});
				return started;
			}
		}
	}

	private CompletableFuture<Boolean> run(String name) {
		try {
			// a difference is believed when it was seen twice: the first one may have
			// been a key that was lost in between
			return probe(name).thenCompose(
					(difference) -> difference.isEmpty() ? CompletableFuture.completedFuture(difference) : probe(name))
				.thenApply(LayoutCheck::isExpected);
		}
		catch (LinkageError | ClassCastException ex) {
			return CompletableFuture.completedFuture(isExpected(ex.toString()));
		}
		catch (RuntimeException ex) {
			return CompletableFuture.failedFuture(ex);
		}
	}

	private CompletableFuture<String> probe(String name) {
		return new Probe(this.redisson, name + ":check:" + UUID.randomUUID(), this.layouts.apply(SMALL)).run();
	}

	private static boolean isExpected(String difference) {
		if (!difference.isEmpty()) {
			logger.warn("The bits of filters are not read directly, which would be faster, but by RBloomFilter: "
					+ difference);
		}
		return difference.isEmpty();
	}

	/**
	 * One check.
	 */
	private static final class Probe {

		private final RedissonClient redisson;

		private final String scratch;

		private final BloomLayout layout;

		private final RBloomFilter<String> filter;

		private final PrimaryCommands commands;

		Probe(RedissonClient redisson, String scratch, BloomLayout layout) {
			this.redisson = redisson;
			this.scratch = scratch;
			this.layout = layout;
			this.filter = redisson.getBloomFilter(options());
			this.commands = new PrimaryCommands(redisson, OptionalOptions.defaults().timeout(TIMEOUT).retryAttempts(0));
		}

		private PlainOptions options() {
			return PlainOptions.name(this.scratch)
				.codec(StringCodec.INSTANCE)
				.timeout(TIMEOUT)
				.retryAttempts(0)
				.readMode(ReadMode.MASTER);
		}

		/**
		 * Return what is different, nothing if all is as expected.
		 */
		CompletableFuture<String> run() {
			// all kinds of lengths that the hash treats differently, and of letters
			List<String> elements = Stream.of("", "a", "ä€😀", "7".repeat(31), "7".repeat(32), "ä".repeat(500))
				.toList();
			byte[] expected = bits(elements);
			return this.filter.tryInitAsync(SMALL.expectedInsertions(), SMALL.falsePositiveProbability())
				.toCompletableFuture()
				.thenCompose((created) -> this.filter.addAsync(elements).toCompletableFuture())
				.thenCompose((added) -> this.filter.expireAsync(KEPT).toCompletableFuture())
				.thenCompose((expires) -> compareSizes())
				.thenCompose((difference) -> difference.isEmpty() ? compareBits(expected)
						: CompletableFuture.completedFuture(difference))
				.thenCompose((difference) -> difference.isEmpty() ? readWord()
						: CompletableFuture.completedFuture(difference))
				.exceptionallyCompose(Probe::refusal)
				.whenComplete((difference, failure) -> this.filter.deleteAsync());
		}

		private CompletableFuture<String> compareSizes() {
			return this.filter.getSizeAsync()
				.toCompletableFuture()
				.thenCombine(this.filter.getHashIterationsAsync().toCompletableFuture(),
						(size, hashes) -> (size == this.layout.bits() && hashes == this.layout.hashFunctions()) ? ""
								: "The size of one is " + size + " and not " + this.layout.bits());
		}

		private CompletableFuture<String> compareBits(byte[] expected) {
			PlainOptions options = PlainOptions.name(this.scratch)
				.codec(ByteArrayCodec.INSTANCE)
				.timeout(TIMEOUT)
				.retryAttempts(0)
				.readMode(ReadMode.MASTER);
			return this.redisson.<byte[]>getBucket(options)
				.getAsync()
				.toCompletableFuture()
				.thenApply((bits) -> (bits != null && Arrays.equals(Arrays.copyOf(bits, expected.length), expected))
						? "" : "They are not where they are expected");
		}

		private CompletableFuture<String> readWord() {
			Lookup nothing = new Lookup(new long[0]);
			return new BitReads(this.commands, this.commands.map(this.scratch), this.layout, new SealWord(0, 0))
				.send(List.of(nothing))
				.thenApply((reply) -> reply.equals(List.of(0L)) ? "" : "They are followed by others");
		}

		/**
		 * Return why bits can't be read here at all. Anything else that fails may be over
		 * the next time.
		 */
		private static CompletableFuture<String> refusal(Throwable failure) {
			Throwable cause = (failure instanceof CompletionException && failure.getCause() != null)
					? failure.getCause() : failure;
			String message = String.valueOf(cause.getMessage());
			boolean refused = cause instanceof LinkageError || cause instanceof RedisException
					&& (message.startsWith("NOPERM") || message.startsWith("ERR unknown command"));
			return refused ? CompletableFuture.completedFuture("They can't be read: " + message)
					: CompletableFuture.failedFuture(cause);
		}

		private byte[] bits(List<String> elements) {
			byte[] bits = new byte[Math.toIntExact(this.layout.lengthInBytes())];
			long[] indexes = new long[this.layout.hashFunctions()];
			for (String element : elements) {
				this.layout.indexes(element, indexes, 0);
				for (long index : indexes) {
					bits[(int) (index >> 3)] |= (byte) (0x80 >> (index & 7));
				}
			}
			return bits;
		}

	}

}
