package io.github.bloomguard.backend.redis;

/**
 * A question for bits.
 */
final class Lookup extends QueuedLookup {

	private final long[] indexes;

	/**
	 * Create a lookup.
	 * @param indexes the bits that are all set if the element was added
	 */
	Lookup(long[] indexes) {
		this.indexes = indexes;
	}

	long[] indexes() {
		return this.indexes;
	}

}
