package io.github.bloomguard.benchmarks.load;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

import io.github.bloomguard.benchmarks.contender.Contender;

/**
 * Each call is for one of a few keys that don't exist, and that is cached.
 */
final class NullHits extends KeyLoad {

	private static final int KEYS = 100;

	NullHits(int threads, Rows rows) {
		super("null hits", threads, rows);
	}

	@Override
	public void prepare(Contender contender) {
		for (int i = 1; i <= KEYS; i++) {
			contender.find(-i);
		}
	}

	@Override
	LongSupplier keys() {
		return () -> -ThreadLocalRandom.current().nextInt(1, KEYS + 1);
	}

}
