package io.github.bloomguard.benchmarks.column;

/**
 * One figure of an observation.
 */
public interface Column {

	/**
	 * Return the title with the unit.
	 * @return the title
	 */
	String title();

	/**
	 * Work the figure out.
	 * @param observation what was seen
	 * @return the figure, {@code NaN} if there is none
	 */
	double value(Observation observation);

	/**
	 * Return how many digits follow the point.
	 * @return the number
	 */
	default int digits() {
		return 0;
	}

}
