package io.github.bloomguard.benchmarks.load;

import java.util.function.LongSupplier;

import io.github.bloomguard.benchmarks.contender.Contender;

/**
 * Each call is for a row, and all rows are cached.
 */
final class Legitimate extends KeyLoad {

	private final PopularKeys keys;

	Legitimate(int threads, Rows rows, PopularKeys keys) {
		super("legitimate", threads, rows);
		this.keys = keys;
	}

	@Override
	public void prepare(Contender contender) {
		this.keys.warm(contender);
	}

	@Override
	LongSupplier keys() {
		return this.keys.sequence();
	}

}
