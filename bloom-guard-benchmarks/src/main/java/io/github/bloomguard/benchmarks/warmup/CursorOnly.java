package io.github.bloomguard.benchmarks.warmup;

import java.util.concurrent.atomic.LongAdder;

import io.github.bloomguard.benchmarks.server.LocalRedis;

/**
 * Reads the keys and does nothing with them. Its Redis is idle, and shows what a pause
 * looks like that is none.
 */
final class CursorOnly implements Loading {

	private final LocalRedis redis = LocalRedis.start();

	private final LongAdder sum = new LongAdder();

	private final KeyTable table;

	CursorOnly(KeyTable table) {
		this.table = table;
	}

	@Override
	public String name() {
		return "only reading the cursor";
	}

	@Override
	public long run() {
		return this.table.read(Long.MAX_VALUE, this.sum::add);
	}

	@Override
	public LocalRedis redis() {
		return this.redis;
	}

}
