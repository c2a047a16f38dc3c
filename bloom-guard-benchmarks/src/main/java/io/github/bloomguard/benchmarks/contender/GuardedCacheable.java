package io.github.bloomguard.benchmarks.contender;

import java.util.Map;

import javax.sql.DataSource;

import io.github.bloomguard.BloomGuard;

/**
 * {@code @BloomGuarded} and {@code @Cacheable}, as the starter configures them.
 */
final class GuardedCacheable extends CacheableContender {

	GuardedCacheable(ProductTable table, DataSource dataSource, int rows, double falsePositiveProbability) {
		super(table, ProductApplication.start(new GuardedProducts(table), dataSource, Driver.LETTUCE, Map
			.of("expected-insertions", rows, "false-positive-probability", falsePositiveProbability, "warm-up.query",
					"select id from product", "caches", "products", "rebuild.longest-transaction", "100ms")
			.entrySet()
			.stream()
			.map((property) -> "bloom-guard.filters.products." + property.getKey() + "=" + property.getValue())
			.toArray(String[]::new)));
		application().bean(BloomGuard.class).rebuild("products").join();
	}

	@Override
	public String name() {
		return "bloom-guard + @Cacheable";
	}

}
