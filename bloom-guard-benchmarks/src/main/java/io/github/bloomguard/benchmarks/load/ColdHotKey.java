package io.github.bloomguard.benchmarks.load;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;

import io.github.bloomguard.benchmarks.contender.Contender;

/**
 * A hundred callers ask at the same moment for a row that is not cached and takes 50 ms
 * to load; a few times, each time for another row.
 */
final class ColdHotKey implements Load {

	private static final int CALLERS = 100;

	private static final int KEYS = 3;

	private final Rows rows;

	private final AtomicInteger used = new AtomicInteger();

	ColdHotKey(Rows rows) {
		this.rows = rows;
	}

	@Override
	public String name() {
		return "cold hot key, " + CALLERS + " callers";
	}

	@Override
	public Recording run(Contender contender, Duration duration) {
		return IntStream.range(0, KEYS)
			.mapToObj((i) -> rush(contender, this.rows.count() - this.used.getAndIncrement()))
			.reduce(Recording::and)
			.orElseThrow();
	}

	private static Recording rush(Contender contender, long id) {
		return Callers.run(CALLERS, (recorder) -> recorder.call(contender::findShared, id, true), 1);
	}

}
