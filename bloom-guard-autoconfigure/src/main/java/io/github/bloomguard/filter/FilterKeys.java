package io.github.bloomguard.filter;

/**
 * The names of all Redis keys of one filter. They share a hash tag, so on Redis Cluster
 * they live in one slot and may be used together in one script.
 *
 * @param prefix {@code bloom-guard.key-prefix}
 * @param filter the name of the filter
 * @since 0.1.0
 */
public record FilterKeys(String prefix, String filter) {

	/**
	 * Return the name of the control record, a hash.
	 * @return the name of the key
	 */
	public String control() {
		return name("control");
	}

	/**
	 * Return the name of the add journal, a stream.
	 * @return the name of the key
	 */
	public String journal() {
		return name("journal");
	}

	/**
	 * Return the name of the keys added lately, a sorted set by time.
	 * @return the name of the key
	 */
	public String added() {
		return name("added");
	}

	/**
	 * Return the name of the builder's lease, a string.
	 * @return the name of the key
	 */
	public String lease() {
		return name("lease");
	}

	/**
	 * Return the name of the turn of catching up, a string.
	 * @return the name of the key
	 */
	public String catchUp() {
		return name("catch-up");
	}

	/**
	 * Return the name of the bits of a generation.
	 * @param generation the id of the generation
	 * @return the name of the key
	 */
	public String bits(String generation) {
		return name("bits:" + generation);
	}

	/**
	 * Return the name of the empty sentinel of a key.
	 * @param key the key in its one form
	 * @return the name of the key
	 */
	public String sentinel(String key) {
		return name("empty:" + key);
	}

	private String name(String suffix) {
		return this.prefix + ":{" + this.filter + "}:" + suffix;
	}

}
