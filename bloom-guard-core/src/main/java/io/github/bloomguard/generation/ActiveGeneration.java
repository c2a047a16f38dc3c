package io.github.bloomguard.generation;

import io.github.bloomguard.filter.StoredFilter;

/**
 * The generation that is asked.
 *
 * @param generation the generation
 * @param filter its bits
 */
record ActiveGeneration(Generation generation, StoredFilter filter) {

	boolean is(Generation other) {
		return this.generation.id().equals(other.id());
	}

}
