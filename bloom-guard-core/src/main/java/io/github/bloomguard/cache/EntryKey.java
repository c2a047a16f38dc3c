package io.github.bloomguard.cache;

import java.util.Arrays;

import org.jspecify.annotations.Nullable;

/**
 * One entry of one cache.
 *
 * @param cache the name of the cache
 * @param key the key in Redis, which nobody changes
 */
record EntryKey(String cache, byte[] key) {

	@Override
	public boolean equals(@Nullable Object other) {
		return other instanceof EntryKey that && this.cache.equals(that.cache) && Arrays.equals(this.key, that.key);
	}

	@Override
	public int hashCode() {
		return 31 * this.cache.hashCode() + Arrays.hashCode(this.key);
	}

}
