package io.github.bloomguard.benchmarks.contender;

import javax.sql.DataSource;

/**
 * The same {@code @Cacheable} with the starter, but without any filter: what the guarded
 * caches cost.
 */
final class GuardedCaches extends CacheableContender {

	private final Driver driver;

	GuardedCaches(ProductTable table, DataSource dataSource, Driver driver) {
		super(table, ProductApplication.start(new CachedProducts(table), dataSource, driver));
		this.driver = driver;
	}

	@Override
	public String name() {
		return "guarded caches, no filter (" + this.driver.title() + ")";
	}

}
