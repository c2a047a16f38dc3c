package io.github.bloomguard.benchmarks.load;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

import io.github.bloomguard.benchmarks.contender.Contender;

/**
 * Nine of ten calls are for a row, one is an attack.
 */
final class Mixed extends KeyLoad {

	private final PopularKeys keys;

	Mixed(int threads, Rows rows, PopularKeys keys) {
		super("mixed 9:1", threads, rows);
		this.keys = keys;
	}

	@Override
	public void prepare(Contender contender) {
		this.keys.warm(contender);
	}

	@Override
	LongSupplier keys() {
		LongSupplier rows = this.keys.sequence();
		return () -> (ThreadLocalRandom.current().nextInt(10) == 0) ? Attack.absentKey() : rows.getAsLong();
	}

}
