package io.github.bloomguard.benchmarks.contender;

import javax.sql.DataSource;

/**
 * The same {@code @Cacheable} with the starter, but without any filter: what the guarded
 * caches cost.
 */
final class GuardedCaches extends CacheableContender {

	private final Driver driver;

	private final double earlyRefresh;

	GuardedCaches(ProductTable table, DataSource dataSource, Driver driver, double earlyRefresh) {
		super(table, ProductApplication.start(new CachedProducts(table), dataSource, driver,
				"bloom-guard.cache.early-refresh=" + earlyRefresh));
		this.driver = driver;
		this.earlyRefresh = earlyRefresh;
	}

	@Override
	public String name() {
		return "guarded caches, no filter" + ((this.earlyRefresh > 0) ? ", early refresh" : "") + " ("
				+ this.driver.title() + ")";
	}

}
