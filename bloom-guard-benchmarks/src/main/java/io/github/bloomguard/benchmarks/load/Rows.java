package io.github.bloomguard.benchmarks.load;

/**
 * The rows that there are, from the id 1 on. Some at the end are set apart, to be read
 * while they are cold.
 *
 * @param count the number of rows
 */
public record Rows(int count) {

	private static final int COLD = 1000;

	/**
	 * Check the number.
	 */
	public Rows {
		if (count < 2 * COLD) {
			throw new IllegalArgumentException("There must be at least " + 2 * COLD + " rows");
		}
	}

	boolean exists(long id) {
		return id >= 1 && id <= this.count;
	}

	/**
	 * Return the number of rows that are read again and again.
	 */
	int warm() {
		return this.count - COLD;
	}

}
