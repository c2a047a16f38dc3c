package io.github.bloomguard.filter;

/**
 * Names the bits of one generation of a filter.
 *
 * @param filter the name of the filter
 * @param id the id of the generation, never used before and not to be guessed
 * @since 0.1.0
 */
public record GenerationId(String filter, String id) {

	@Override
	public String toString() {
		return this.id + " of the filter '" + this.filter + "'";
	}

}
