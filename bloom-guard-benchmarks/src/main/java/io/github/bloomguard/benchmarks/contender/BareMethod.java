package io.github.bloomguard.benchmarks.contender;

import org.jspecify.annotations.Nullable;

import io.github.bloomguard.benchmarks.server.LocalRedis;

/**
 * No cache and no guard: each call is a query.
 */
final class BareMethod implements Contender {

	private final LocalRedis redis = LocalRedis.start();

	private final ProductTable table;

	BareMethod(ProductTable table) {
		this.table = table;
	}

	@Override
	public String name() {
		return "bare method";
	}

	@Override
	public @Nullable Product find(long id) {
		return this.table.find(id);
	}

	@Override
	public @Nullable Product findShared(long id) {
		return this.table.findSlowly(id);
	}

	@Override
	public long queries() {
		return this.table.queries();
	}

	@Override
	public LocalRedis redis() {
		return this.redis;
	}

	@Override
	public void close() {
		this.redis.close();
	}

}
