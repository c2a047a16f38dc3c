package io.github.bloomguard.benchmarks.column;

import java.util.List;

/**
 * All columns.
 */
public final class Columns {

	private static final Column OPERATIONS = new OperationsPerSecond();

	private static final Column P99 = new Latency("p99", 99);

	private static final Column REDIS_CPU = new RedisCpu();

	private static final Column ALLOCATION = new Allocation();

	/**
	 * All columns in the order of the table.
	 */
	public static final List<Column> ALL = List.of(OPERATIONS, new Latency("p50", 50), P99, new Latency("p99.9", 99.9),
			new DatabaseQueries(), new LoadsPerColdKey(), new RedisMemory(), REDIS_CPU, ALLOCATION);

	/**
	 * The columns by which the contenders are compared with each other.
	 */
	public static final List<Column> COMPARED = List.of(OPERATIONS, P99, REDIS_CPU, ALLOCATION);

	private Columns() {
	}

}
