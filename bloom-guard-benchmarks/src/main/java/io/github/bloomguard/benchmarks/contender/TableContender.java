package io.github.bloomguard.benchmarks.contender;

import io.github.bloomguard.benchmarks.server.LocalRedis;

/**
 * A contender that needs no application: a table and a Redis server.
 */
abstract class TableContender implements Contender {

	private final LocalRedis redis = LocalRedis.start();

	private final ProductTable table;

	TableContender(ProductTable table) {
		this.table = table;
	}

	final ProductTable table() {
		return this.table;
	}

	@Override
	public final long queries() {
		return this.table.queries();
	}

	@Override
	public final LocalRedis redis() {
		return this.redis;
	}

	@Override
	public void close() {
		this.redis.close();
	}

}
