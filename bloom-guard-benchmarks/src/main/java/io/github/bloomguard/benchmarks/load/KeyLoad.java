package io.github.bloomguard.benchmarks.load;

import java.time.Duration;
import java.util.function.LongSupplier;

import io.github.bloomguard.benchmarks.contender.Contender;

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
	 * Return the keys of one caller.
	 */
	abstract LongSupplier keys();

	@Override
	public final Recording run(Contender contender, Duration duration) {
		long end = System.nanoTime() + duration.toNanos();
		return Callers.run(this.threads, (recorder) -> {
			LongSupplier keys = keys();
			while (System.nanoTime() - end < 0) {
				long id = keys.getAsLong();
				recorder.call(contender::find, id, this.rows.exists(id));
			}
		}, 0);
	}

}
