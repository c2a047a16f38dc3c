package io.github.bloomguard.backend.redis;

import java.time.Duration;

import io.github.bloomguard.backend.BackendSettings;
import io.github.bloomguard.backend.FilterBackend;
import io.github.bloomguard.filter.FilterKeys;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.sentinel.EmptySentinels;
import io.github.bloomguard.warmup.Marks;

/**
 * Keeps filters in Redis, where all instances of an application share them.
 *
 * @since 0.1.0
 */
public final class RedisBackend implements FilterBackend {

	private static final Duration CONTROL_TIMEOUT = Duration.ofSeconds(1);

	private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(3);

	private final RedisAccess redis;

	private final Duration timeout;

	private final FilterStore filters;

	/**
	 * Create a backend.
	 * @param redis the way to Redis
	 * @param timeout the longest wait for what a call could do without
	 */
	public RedisBackend(RedisAccess redis, Duration timeout) {
		this.redis = redis;
		this.timeout = timeout;
		this.filters = new RedisFilterStore(redis, timeout, WRITE_TIMEOUT);
	}

	@Override
	public FilterStore filters() {
		return this.filters;
	}

	@Override
	public ControlStore control(BackendSettings settings) {
		return new RedisControlStore(this.redis, settings.keys(), CONTROL_TIMEOUT, settings.journalRetention(),
				settings.addedRetention(), settings.addReplicas());
	}

	@Override
	public EmptySentinels sentinels(BackendSettings settings) {
		FilterKeys keys = settings.keys();
		return new RedisEmptySentinels(this.redis,
				new RedisEmptySentinels.Names(keys::sentinel, keys.control(), keys.added()), this.timeout,
				CONTROL_TIMEOUT, settings.longestTransaction(), settings.addedRetention());
	}

	@Override
	public Marks marks(BackendSettings settings) {
		return new RedisMarks(this.redis, settings.keys(), CONTROL_TIMEOUT);
	}

}
