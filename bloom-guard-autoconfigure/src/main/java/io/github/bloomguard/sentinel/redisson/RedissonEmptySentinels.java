package io.github.bloomguard.sentinel.redisson;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

import io.github.bloomguard.sentinel.EmptySentinels;
import org.redisson.api.RScript;
import org.redisson.api.RScript.Mode;
import org.redisson.api.RScript.ReturnType;
import org.redisson.api.RedissonClient;
import org.redisson.api.options.OptionalOptions;
import org.redisson.client.codec.StringCodec;

/**
 * Keeps the sentinels of a key in a hash, which is the place of the marker too: a field
 * for each scope, or one that says that the key was added. Everything runs as a script
 * that may write, because that is what makes Redisson ask the primary: a replica might
 * not have heard of an added key yet.
 *
 * @since 0.1.0
 */
public final class RedissonEmptySentinels implements EmptySentinels {

	private static final String CONTAINS = """
			return redis.call('hexists', KEYS[1], 'empty:' .. ARGV[1])
			""";

	private static final String REMEMBER = """
			if redis.call('hget', KEYS[2], 'epoch') ~= ARGV[3] then return 0 end
			if redis.call('hexists', KEYS[1], 'added') == 1 then return 0 end
			local first = redis.call('exists', KEYS[1]) == 0
			redis.call('hset', KEYS[1], 'empty:' .. ARGV[1], '')
			if first then redis.call('pexpire', KEYS[1], ARGV[2]) end
			return 1
			""";

	private static final String FORGET = """
			for i = 1, #KEYS do
			  redis.call('del', KEYS[i])
			  redis.call('hset', KEYS[i], 'added', '')
			  redis.call('pexpire', KEYS[i], ARGV[1])
			end
			return #KEYS
			""";

	private static final int CHUNK = 1000;

	private final RScript script;

	private final UnaryOperator<String> naming;

	private final String control;

	private final Duration markerTtl;

	/**
	 * Create sentinels.
	 * @param redisson the client
	 * @param naming gives the name of the Redis key for a key in its one form
	 * @param control the name of the hash whose field {@code epoch} holds the epoch
	 * @param timeout the longest wait for Redis
	 * @param markerTtl how long the marker of an added key stays, longer than any load
	 */
	public RedissonEmptySentinels(RedissonClient redisson, UnaryOperator<String> naming, String control,
			Duration timeout, Duration markerTtl) {
		this.script = redisson
			.getScript(OptionalOptions.defaults().codec(StringCodec.INSTANCE).timeout(timeout).retryAttempts(0));
		this.naming = naming;
		this.control = control;
		this.markerTtl = markerTtl;
	}

	@Override
	public CompletableFuture<Boolean> contains(String key, String scope) {
		return eval(CONTAINS, List.of(this.naming.apply(key)), scope).thenApply((count) -> count > 0);
	}

	@Override
	public CompletableFuture<Void> remember(String key, String scope, Duration ttl, long epoch) {
		return eval(REMEMBER, List.of(this.naming.apply(key), this.control), scope, String.valueOf(ttl.toMillis()),
				String.valueOf(epoch))
			.thenApply((count) -> null);
	}

	@Override
	public CompletableFuture<Void> forget(Collection<String> keys) {
		List<Object> names = new ArrayList<>(keys.stream().map(this.naming).toList());
		List<CompletableFuture<Long>> chunks = new ArrayList<>();
		for (int from = 0; from < names.size(); from += CHUNK) {
			chunks.add(eval(FORGET, names.subList(from, Math.min(from + CHUNK, names.size())),
					String.valueOf(this.markerTtl.toMillis())));
		}
		return CompletableFuture.allOf(chunks.toArray(CompletableFuture<?>[]::new));
	}

	private CompletableFuture<Long> eval(String lua, List<Object> names, Object... arguments) {
		return this.script.<Long>evalAsync(Mode.READ_WRITE, lua, ReturnType.LONG, names, arguments)
			.toCompletableFuture();
	}

}
