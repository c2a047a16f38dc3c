package io.github.bloomguard.benchmarks.contender;

import javax.sql.DataSource;

import org.redisson.api.RedissonClient;

/**
 * Spring's {@code @Cacheable} on the auto-configured cache manager, without the guard.
 */
final class PlainCacheable extends CacheableContender {

	PlainCacheable(ProductTable table, DataSource dataSource) {
		super(table, ProductApplication.start(new CachedProducts(table), dataSource, "bloom-guard.enabled=false"));
	}

	@Override
	public String name() {
		return "@Cacheable";
	}

	RedissonClient redisson() {
		return application().redisson();
	}

}
