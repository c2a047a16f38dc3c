package io.github.bloomguard.filter;

/**
 * A filter was given up, because it can't take as many keys as there are. What follows it
 * has to be larger.
 *
 * @since 0.1.0
 */
public class FilterFullException extends FilterGoneException {

	private static final long serialVersionUID = 1L;

	private final long insertions;

	/**
	 * Create an exception.
	 * @param id names the filter
	 * @param insertions how many keys there are at least
	 */
	public FilterFullException(GenerationId id, long insertions) {
		super(id, "it has no room for " + insertions + " keys");
		this.insertions = insertions;
	}

	/**
	 * Return how many keys there are.
	 * @return the number that is known, which may be less than there are
	 */
	public long getInsertions() {
		return this.insertions;
	}

}
