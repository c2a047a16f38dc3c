package io.github.bloomguard.backend.redis;

import java.time.Duration;

import io.github.bloomguard.backend.BackendSettings;
import io.github.bloomguard.backend.FilterBackend;
import io.github.bloomguard.catchup.Marks;
import io.github.bloomguard.filter.FilterStore;
import io.github.bloomguard.generation.ControlStore;
import io.github.bloomguard.sentinel.EmptySentinels;

/**
 * Keeps filters in Redis, where all instances of an application share them.
 *
 * @since 0.1.0
 */
public final class RedisBackend implements FilterBackend {

	private static final Duration CONTROL_TIMEOUT = Duration.ofSeconds(1);

	private static final Duration WRITE_TIMEOUT = Duration.ofSeconds(3);

	private final RedisAccess redis;

	private final String keyPrefix;

	private final Duration timeout;

	private final FilterStore filters;

	private final MirrorChannel mirrors;

	/**
	 * Create a backend.
	 * @param redis the way to Redis
	 * @param keyPrefix what the name of each Redis key begins with
	 * @param timeout the longest wait for what a call could do without
	 */
	public RedisBackend(RedisAccess redis, String keyPrefix, Duration timeout) {
		this.redis = redis;
		this.keyPrefix = keyPrefix;
		this.timeout = timeout;
		this.mirrors = new MirrorChannel(redis, keyPrefix);
		this.filters = new RedisFilterStore(redis, keyPrefix, timeout, WRITE_TIMEOUT);
	}

	@Override
	public FilterStore filters() {
		return this.filters;
	}

	@Override
	public ControlStore control(BackendSettings settings) {
		return new RedisControlStore(this.redis, keys(settings), settings, this.mirrors, CONTROL_TIMEOUT);
	}

	@Override
	public EmptySentinels sentinels(BackendSettings settings) {
		return new RedisEmptySentinels(this.redis, keys(settings), settings, this.timeout);
	}

	@Override
	public Marks marks(BackendSettings settings) {
		return new RedisMarks(this.redis, keys(settings), settings.origin(), CONTROL_TIMEOUT);
	}

	private RedisKeys keys(BackendSettings settings) {
		return new RedisKeys(this.keyPrefix, settings.filter());
	}

}
