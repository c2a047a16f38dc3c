package io.github.bloomguard.benchmarks.column;

/**
 * Queries that reached the database for a thousand calls.
 */
final class DatabaseQueries implements Column {

	@Override
	public String title() {
		return "DB queries per 1,000";
	}

	@Override
	public double value(Observation observation) {
		return observation.perOperation(1000.0 * observation.queries());
	}

	@Override
	public int digits() {
		return 1;
	}

}
