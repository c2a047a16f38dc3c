package io.github.bloomguard.benchmarks.contender;

import java.util.Map;

import javax.sql.DataSource;

import io.github.bloomguard.BloomGuard;
import org.jspecify.annotations.Nullable;

import io.github.bloomguard.benchmarks.server.LocalRedis;

/**
 * {@code @BloomGuarded} and {@code @Cacheable}, as the starter configures them.
 */
final class GuardedCacheable implements Contender {

	private final ProductTable table;

	private final ProductApplication application;

	private final Products products;

	GuardedCacheable(ProductTable table, DataSource dataSource, int rows, double falsePositiveProbability) {
		this.table = table;
		this.application = ProductApplication.start(new GuardedProducts(table), dataSource, Map
			.of("expected-insertions", rows, "false-positive-probability", falsePositiveProbability, "warm-up.query",
					"select id from product", "caches", "products", "rebuild.longest-transaction", "100ms")
			.entrySet()
			.stream()
			.map((property) -> "bloom-guard.filters.products." + property.getKey() + "=" + property.getValue())
			.toArray(String[]::new));
		this.products = this.application.products();
		this.application.bean(BloomGuard.class).rebuild("products").join();
	}

	@Override
	public String name() {
		return "bloom-guard + @Cacheable";
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

	@Override
	public LocalRedis redis() {
		return this.application.redis();
	}

	@Override
	public void close() {
		this.application.close();
	}

}
