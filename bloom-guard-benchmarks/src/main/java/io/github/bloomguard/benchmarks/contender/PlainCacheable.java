package io.github.bloomguard.benchmarks.contender;

import javax.sql.DataSource;

import org.jspecify.annotations.Nullable;
import org.redisson.api.RedissonClient;

import io.github.bloomguard.benchmarks.server.LocalRedis;

/**
 * Spring's {@code @Cacheable} on the auto-configured cache manager, without the guard.
 */
final class PlainCacheable implements Contender {

	private final ProductTable table;

	private final ProductApplication application;

	private final Products products;

	PlainCacheable(ProductTable table, DataSource dataSource) {
		this.table = table;
		this.application = ProductApplication.start(new CachedProducts(table), dataSource, "bloom-guard.enabled=false");
		this.products = this.application.products();
	}

	@Override
	public String name() {
		return "@Cacheable";
	}

	@Override
	public @Nullable Product find(long id) {
		return this.products.find(id);
	}

	@Override
	public @Nullable Product findShared(long id) {
		return this.products.findShared(id);
	}

	@Override
	public long queries() {
		return this.table.queries();
	}

	RedissonClient redisson() {
		return this.application.redisson();
	}

	@Override
	public LocalRedis redis() {
		return this.application.redis();
	}

	@Override
	public void close() {
		this.application.close();
	}

}
