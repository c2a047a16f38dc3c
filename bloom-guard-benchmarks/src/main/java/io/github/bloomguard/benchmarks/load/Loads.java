package io.github.bloomguard.benchmarks.load;

import java.util.List;

/**
 * All loads.
 */
public final class Loads {

	private Loads() {
	}

	/**
	 * Return the load of callers that read rows only.
	 * @param rows the rows that there are
	 * @return the load
	 */
	public static Load legitimate(Rows rows) {
		return new Legitimate(8, rows, new PopularKeys(rows));
	}

	/**
	 * Return the loads that show what guarded caches cost.
	 * @param rows the rows that there are
	 * @return the loads in the order of the table
	 */
	public static List<Load> ofCaches(Rows rows) {
		PopularKeys keys = new PopularKeys(rows);
		return List.of(new Legitimate(8, rows, keys), new Legitimate(64, rows, keys), new NullHits(8, rows),
				new SharedHits(8, rows));
	}

	/**
	 * Return the loads.
	 * @param rows the rows that there are
	 * @return the loads in the order of the table
	 */
	public static List<Load> over(Rows rows) {
		PopularKeys keys = new PopularKeys(rows);
		return List.of(new Attack(8, rows), new Attack(64, rows), new Legitimate(8, rows, keys),
				new Legitimate(64, rows, keys), new Mixed(8, rows, keys), new ColdHotKey(rows));
	}

}
