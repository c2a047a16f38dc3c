package io.github.bloomguard.benchmarks.load;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

/**
 * Each call is for another random key that does not exist.
 */
final class Attack extends KeyLoad {

	Attack(int threads, Rows rows) {
		super("attack", threads, rows);
	}

	@Override
	LongSupplier keys() {
		return Attack::absentKey;
	}

	static long absentKey() {
		return ThreadLocalRandom.current().nextLong(1L << 40, Long.MAX_VALUE);
	}

}
