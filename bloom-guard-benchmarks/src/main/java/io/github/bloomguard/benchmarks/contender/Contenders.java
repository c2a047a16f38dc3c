package io.github.bloomguard.benchmarks.contender;

import java.util.List;

import io.github.bloomguard.benchmarks.server.LocalPostgres;

/**
 * All contenders, started, over the same table and with filters of the same size.
 */
public final class Contenders implements AutoCloseable {

	private static final double FALSE_POSITIVE_PROBABILITY = 0.01;

	private final List<Contender> all;

	/**
	 * Start all contenders.
	 * @param postgres where the table of products is
	 * @param rows the number of rows
	 */
	public Contenders(LocalPostgres postgres, int rows) {
		this.all = List.of(new BareMethod(new ProductTable(postgres)), plain(postgres),
				new RedissonGuard(plain(postgres), rows, FALSE_POSITIVE_PROBABILITY),
				new JetCache(new ProductTable(postgres)),
				new GuavaGuard(plain(postgres), rows, FALSE_POSITIVE_PROBABILITY), new GuardedCacheable(
						new ProductTable(postgres), postgres.dataSource(), rows, FALSE_POSITIVE_PROBABILITY));
	}

	private static PlainCacheable plain(LocalPostgres postgres) {
		return new PlainCacheable(new ProductTable(postgres), postgres.dataSource());
	}

	/**
	 * Return the contenders.
	 * @return the contenders in the order of the table
	 */
	public List<Contender> all() {
		return this.all;
	}

	/**
	 * Return bloom-guard.
	 * @return the contender that the others are compared with
	 */
	public Contender guard() {
		return this.all.get(this.all.size() - 1);
	}

	@Override
	public void close() {
		this.all.forEach(Contender::close);
	}

}
