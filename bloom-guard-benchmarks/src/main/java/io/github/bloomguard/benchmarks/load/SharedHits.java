package io.github.bloomguard.benchmarks.load;

import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;

import io.github.bloomguard.benchmarks.contender.Contender;
import io.github.bloomguard.benchmarks.contender.Product;
import org.jspecify.annotations.Nullable;

/**
 * Each call is for one of a few rows that are cached, by a method that shares its loads:
 * {@code sync = true}.
 */
final class SharedHits extends KeyLoad {

	private static final int KEYS = 100;

	SharedHits(int threads, Rows rows) {
		super("hits of sync = true", threads, rows);
	}

	@Override
	public void prepare(Contender contender) {
		for (int i = 1; i <= KEYS; i++) {
			contender.findShared(i);
		}
	}

	@Override
	@Nullable Product read(Contender contender, long id) {
		return contender.findShared(id);
	}

	@Override
	LongSupplier keys() {
		return () -> ThreadLocalRandom.current().nextInt(1, KEYS + 1);
	}

}
