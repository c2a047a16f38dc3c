package io.github.bloomguard.benchmarks.contender;

import javax.sql.DataSource;

/**
 * Spring's {@code @Cacheable} on the auto-configured cache manager, as the application
 * has it before the starter is added.
 */
final class PlainCacheable extends CacheableContender {

	private final Driver driver;

	PlainCacheable(ProductTable table, DataSource dataSource, Driver driver) {
		super(table,
				ProductApplication.start(new CachedProducts(table), dataSource, driver, "bloom-guard.enabled=false"));
		this.driver = driver;
	}

	@Override
	public String name() {
		return "@Cacheable, as before the starter (" + this.driver.title() + ")";
	}

}
