package io.github.bloomguard.backend.redis;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

import io.github.bloomguard.sentinel.EmptySentinels;

/**
 * Keeps the sentinels of a key in a hash: a field for each scope, whose value is the
 * epoch in which it was written and in which it counts. Which keys were added lately is
 * read from the sorted set that every add writes in the step that makes it known; if that
 * set was lost, nothing is remembered until all adds that were in it have been committed
 * or done again.
 * <p>
 * Everything runs as a script that may write, because that is what makes Redisson ask the
 * primary: a replica might not have heard of an added key yet.
 *
 * @since 0.1.0
 */
public final class RedisEmptySentinels implements EmptySentinels {

	private static final String CONTAINS = """
			local written = redis.call('hget', KEYS[1], 'empty:' .. ARGV[1])
			return written and redis.call('hget', KEYS[2], 'epoch') == written and 1 or 0
			""";

	private static final String REMEMBER = """
			local time = redis.call('time')
			local now = time[1] * 1000 + math.floor(time[2] / 1000)
			local epoch, since = unpack(redis.call('hmget', KEYS[2], 'epoch', 'since'))
			if epoch ~= ARGV[3] or not since or now - since < tonumber(ARGV[4]) then return 0 end
			local added = redis.call('zscore', KEYS[3], ':' .. ARGV[5])
			if added and now - added < tonumber(ARGV[6]) then return 0 end
			if redis.call('exists', KEYS[3]) == 0 then return 0 end
			local first = redis.call('exists', KEYS[1]) == 0
			redis.call('hset', KEYS[1], 'empty:' .. ARGV[1], epoch)
			if first then redis.call('pexpire', KEYS[1], ARGV[2]) end
			return 1
			""";

	private static final String FORGET = "return redis.call('unlink', unpack(KEYS))";

	private static final int CHUNK = 1000;

	private final Names names;

	private final PrimaryCommands reads;

	private final PrimaryCommands writes;

	private final Duration longestTransaction;

	private final Duration addedRetention;

	/**
	 * Create sentinels.
	 * @param redis the way to Redis
	 * @param names the names of the keys in Redis
	 * @param timeout the longest wait for whatever a call could do without
	 * @param writeTimeout the longest wait for each attempt to forget
	 * @param longestTransaction the longest time between adding a key and committing its
	 * row
	 * @param addedRetention how long a key counts as added lately, longer than any load
	 */
	public RedisEmptySentinels(RedisAccess redis, Names names, Duration timeout, Duration writeTimeout,
			Duration longestTransaction, Duration addedRetention) {
		this.names = names;
		this.reads = redis.commands(timeout, 0);
		this.writes = redis.commands(writeTimeout, 1);
		this.longestTransaction = longestTransaction;
		this.addedRetention = addedRetention;
	}

	@Override
	public CompletableFuture<Boolean> contains(String key, String scope) {
		return this.reads.test(List.of(this.names.sentinel().apply(key), this.names.control()), CONTAINS, scope);
	}

	@Override
	public CompletableFuture<Void> remember(String key, String scope, Duration ttl, long epoch) {
		List<String> keys = List.of(this.names.sentinel().apply(key), this.names.control(), this.names.added());
		return this.reads
			.test(keys, REMEMBER, scope, millis(ttl), String.valueOf(epoch), millis(this.longestTransaction), key,
					millis(this.addedRetention))
			.thenApply((remembered) -> null);
	}

	@Override
	public CompletableFuture<Void> forget(Collection<String> keys) {
		List<String> sentinels = keys.stream().map(this.names.sentinel()).toList();
		List<CompletableFuture<Long>> chunks = new ArrayList<>();
		for (int from = 0; from < sentinels.size(); from += CHUNK) {
			chunks.add(this.writes.count(sentinels.subList(from, Math.min(from + CHUNK, sentinels.size())), FORGET));
		}
		return CompletableFuture.allOf(chunks.toArray(CompletableFuture<?>[]::new));
	}

	private static String millis(Duration duration) {
		return String.valueOf(duration.toMillis());
	}

	/**
	 * The names of the keys in Redis, which share a slot.
	 *
	 * @param sentinel gives the name of a sentinel for a key in its one form
	 * @param control the hash whose fields {@code epoch} and {@code since} hold the epoch
	 * and the time from which {@code added} is complete
	 * @param added the sorted set of the keys added lately, each after a colon, by the
	 * milliseconds of the server's clock
	 */
	public record Names(UnaryOperator<String> sentinel, String control, String added) {

	}

}
