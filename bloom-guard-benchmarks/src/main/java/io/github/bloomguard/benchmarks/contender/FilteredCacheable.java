package io.github.bloomguard.benchmarks.contender;

import org.jspecify.annotations.Nullable;

import io.github.bloomguard.benchmarks.server.LocalRedis;

/**
 * A filter asked by hand in front of {@link PlainCacheable}, as one finds it in many
 * applications.
 */
abstract class FilteredCacheable implements Contender {

	private final PlainCacheable cacheable;

	FilteredCacheable(PlainCacheable cacheable) {
		this.cacheable = cacheable;
	}

	abstract boolean mightContain(long id);

	@Override
	public final @Nullable Product find(long id) {
		return mightContain(id) ? this.cacheable.find(id) : null;
	}

	@Override
	public final @Nullable Product findShared(long id) {
		return mightContain(id) ? this.cacheable.findShared(id) : null;
	}

	@Override
	public final long queries() {
		return this.cacheable.queries();
	}

	@Override
	public final LocalRedis redis() {
		return this.cacheable.redis();
	}

	@Override
	public final void close() {
		this.cacheable.close();
	}

}
