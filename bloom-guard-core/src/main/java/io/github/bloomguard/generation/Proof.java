package io.github.bloomguard.generation;

import org.jspecify.annotations.Nullable;

/**
 * What calls have shown about the keys of one origin. Whether the sources give keys in
 * the form in which the methods are called with them outlives rebuilds, because they do
 * not change that.
 *
 * @param calls how many keys that the filter called absent were looked for and not found
 * @param refuted the id of the generation that called a key absent that was found,
 * {@code null} if none has
 * @param removed how many keys of the active generation have been removed
 * @since 0.1.0
 */
public record Proof(long calls, @Nullable String refuted, long removed) {

	/**
	 * Nothing has been shown yet.
	 */
	public static final Proof NONE = new Proof(0, null, 0);

	/**
	 * Create an instance where nothing has been removed.
	 * @param calls how many keys that the filter called absent were looked for and not
	 * found
	 * @param refuted the id of the generation that called a key absent that was found,
	 * {@code null} if none has
	 */
	public Proof(long calls, @Nullable String refuted) {
		this(calls, refuted, 0);
	}

	boolean refutes(Generation generation) {
		return generation.id().equals(this.refuted);
	}

}
