package io.github.bloomguard.benchmarks.load;

import java.time.Duration;
import java.util.function.LongFunction;
import java.util.function.LongSupplier;

import io.github.bloomguard.benchmarks.contender.Contender;
import io.github.bloomguard.benchmarks.contender.Product;
import org.jspecify.annotations.Nullable;

/**
 * Callers that read one key after the other, without a pause, until the time is over.
 */
abstract class KeyLoad implements Load {

	private final String name;

	private final int threads;

	private final Rows rows;

	KeyLoad(String name, int threads, Rows rows) {
		this.name = name + ", " + threads + " threads";
		this.threads = threads;
		this.rows = rows;
	}

	@Override
	public final String name() {
		return this.name;
	}

	/**
	 * Read a product in the way that is measured.
	 */
	@Nullable Product read(Contender contender, long id) {
		return contender.find(id);
	}

	/**
	 * Return the keys of one caller.
	 */
	abstract LongSupplier keys();

	@Override
	public final Recording run(Contender contender, Duration duration) {
		long end = System.nanoTime() + duration.toNanos();
		return Callers.run(this.threads, (recorder) -> {
			LongSupplier keys = keys();
			LongFunction<@Nullable Product> read = (id) -> read(contender, id);
			while (System.nanoTime() - end < 0) {
				long id = keys.getAsLong();
				recorder.call(read, id, this.rows.exists(id));
			}
		}, 0);
	}

}
