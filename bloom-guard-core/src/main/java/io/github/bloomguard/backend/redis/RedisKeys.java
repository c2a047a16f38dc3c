package io.github.bloomguard.backend.redis;

/**
 * The names of all Redis keys of one filter. They share a hash tag, so on Redis Cluster
 * they live in one slot and may be used together in one script; only the shards of a
 * large filter have tags of their own.
 *
 * @param prefix {@code bloom-guard.key-prefix}
 * @param filter the name of the filter
 * @since 0.1.0
 */
public record RedisKeys(String prefix, String filter) {

	/**
	 * Return the name of the control record, a hash.
	 */
	String control() {
		return name("control");
	}

	/**
	 * Return the name of the add journal, a stream.
	 */
	String journal() {
		return name("journal");
	}

	/**
	 * Return the name of the keys added lately, a sorted set by time.
	 */
	String added() {
		return name("added");
	}

	/**
	 * Return the name of the builder's lease, a string.
	 */
	String lease() {
		return name("lease");
	}

	/**
	 * Return the name of the turn of catching up, a string.
	 */
	String catchUp(String origin) {
		return name("catch-up:" + origin);
	}

	/**
	 * Return the name of the bits of a generation.
	 * @param generation the id of the generation
	 * @return the name
	 */
	public String bits(String generation) {
		return name("bits:" + generation);
	}

	/**
	 * Return the name of one of several strings with the bits of a generation. No filter
	 * has a colon in its name.
	 */
	String bits(String generation, int shard) {
		return this.prefix + ":{" + this.filter + ":" + shard + "}:bits:" + generation;
	}

	/**
	 * Return the name of what is written where a shard is to wait for replicas.
	 */
	String confirmed(int shard) {
		return this.prefix + ":{" + this.filter + ":" + shard + "}:confirmed";
	}

	/**
	 * Return the name of the empty sentinel of a key.
	 */
	String sentinel(String key) {
		return name("empty:" + key);
	}

	private String name(String suffix) {
		return this.prefix + ":{" + this.filter + "}:" + suffix;
	}

}
